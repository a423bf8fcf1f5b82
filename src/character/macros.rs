//! The macro sliders: which targets a body's settings apply, and how much.
//!
//! MakeHuman's own rule: each slider turns into the weights of a few words,
//! and a target applies by the product of the weights of all words in its
//! name. A combination that has no file contributes nothing.

use super::spec::Body;

/// The words of one slider with their weights; words of weight 0 are left out.
type Words = Vec<(&'static str, f64)>;

fn words(all: &[(&'static str, f64)]) -> Words {
    all.iter().copied().filter(|(_, w)| *w > 0.0).collect()
}

/// A slider with two ends and a middle.
fn three(v: f64, [low, mid, high]: [&'static str; 3]) -> Words {
    let (l, h) = ((1.0 - 2.0 * v).max(0.0), (2.0 * v - 1.0).max(0.0));
    words(&[(low, l), (mid, 1.0 - l - h), (high, h)])
}

/// Age: one year at 0, ten at 0.1875, twenty-five at 0.5, ninety at 1.
fn age_words(v: f64) -> Words {
    if v >= 0.5 {
        let old = 2.0 * v - 1.0;
        return words(&[("young", 1.0 - old), ("old", old)]);
    }
    // A child is whole at 0.1875 = 3/16: a baby fades out until there and a
    // young person fades in from there.
    let per_child = 16.0 / 3.0;
    let baby = (1.0 - per_child * v).max(0.0);
    let young = (3.2 * (v - 0.1875)).max(0.0);
    let child = ((per_child * v).min(1.0) - young).max(0.0);
    words(&[("baby", baby), ("child", child), ("young", young)])
}

/// The keys of all macro targets that a body applies, with their weights, in
/// a fixed order. Keys of combinations that no pack has are among them.
pub fn macro_targets(body: &Body) -> Vec<(String, f64)> {
    let race = &body.race;
    let total = race.african + race.asian + race.caucasian;
    let races = words(&[
        ("african", race.african / total),
        ("asian", race.asian / total),
        ("caucasian", race.caucasian / total),
    ]);
    let genders = words(&[("female", 1.0 - body.gender), ("male", body.gender)]);
    let ages = age_words(body.age);
    let muscles = three(body.muscle, ["minmuscle", "averagemuscle", "maxmuscle"]);
    let weights = three(body.weight, ["minweight", "averageweight", "maxweight"]);
    let heights = three(body.height, ["minheight", "", "maxheight"]);
    let proportions = three(body.proportions, ["uncommonproportions", "", "idealproportions"]);
    let cups = three(body.cupsize, ["mincup", "averagecup", "maxcup"]);
    let firmnesses = three(body.firmness, ["minfirmness", "averagefirmness", "maxfirmness"]);

    let mut out = Vec::new();
    for (gender, g) in &genders {
        for (age, a) in &ages {
            for (race, r) in &races {
                out.push((format!("macrodetails/{race}-{gender}-{age}"), r * g * a));
            }
            for (muscle, m) in &muscles {
                for (weight, w) in &weights {
                    let build = format!("{gender}-{age}-{muscle}-{weight}");
                    let share = g * a * m * w;
                    out.push((format!("macrodetails/universal-{build}"), share));
                    // The middle of height and of proportions has no files.
                    for (height, h) in heights.iter().filter(|(word, _)| !word.is_empty()) {
                        out.push((format!("macrodetails/height/{build}-{height}"), share * h));
                    }
                    for (word, p) in proportions.iter().filter(|(word, _)| !word.is_empty()) {
                        out.push((format!("macrodetails/proportions/{build}-{word}"), share * p));
                    }
                    if *gender == "female" {
                        for (cup, c) in &cups {
                            for (firmness, f) in &firmnesses {
                                let key = format!("breast/{build}-{cup}-{firmness}");
                                out.push((key, share * c * f));
                            }
                        }
                    }
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::spec::Race;

    fn sum(words: &Words) -> f64 {
        words.iter().map(|(_, w)| w).sum()
    }

    #[test]
    fn ages_are_pure_at_their_anchors() {
        assert_eq!(age_words(0.0), [("baby", 1.0)]);
        assert_eq!(age_words(0.1875), [("child", 1.0)]);
        assert_eq!(age_words(0.5), [("young", 1.0)]);
        assert_eq!(age_words(1.0), [("old", 1.0)]);
    }

    #[test]
    fn words_of_a_slider_sum_to_one() {
        for i in 0..=1000 {
            let v = f64::from(i) / 1000.0;
            assert!((sum(&age_words(v)) - 1.0).abs() < 1e-12, "age {v}");
            assert!((sum(&three(v, ["a", "b", "c"])) - 1.0).abs() < 1e-12, "{v}");
        }
    }

    #[test]
    fn the_default_body_is_six_race_targets() {
        let targets = macro_targets(&Body::default());
        let races: Vec<_> = targets
            .iter()
            .filter(|(k, _)| {
                !k.contains("universal") && !k.contains('/') || k.matches('-').count() == 2
            })
            .collect();
        assert_eq!(races.len(), 6);
        assert!(races.iter().all(|(_, w)| (w - 1.0 / 6.0).abs() < 1e-12));
        // What else it names has no file: universal-*-averagemuscle-
        // averageweight is empty, averagecup-averagefirmness does not exist.
        let others: Vec<_> = targets.iter().filter(|(k, _)| k.matches('-').count() != 2).collect();
        assert!(others.iter().all(|(k, _)| k.contains("averagemuscle-averageweight")));
    }

    #[test]
    fn products_follow_every_word() {
        let body = Body {
            gender: 1.0,
            muscle: 0.7,
            weight: 0.55,
            height: 0.6,
            proportions: 0.7,
            race: Race { african: 0.0, asian: 0.0, caucasian: 3.0 },
            ..Body::default()
        };
        let targets = macro_targets(&body);
        let weight = |key: &str| targets.iter().find(|(k, _)| k == key).unwrap().1;
        assert_eq!(weight("macrodetails/caucasian-male-young"), 1.0);
        let both = "male-young-maxmuscle-maxweight";
        assert!((weight(&format!("macrodetails/universal-{both}")) - 0.04).abs() < 1e-12);
        assert!((weight(&format!("macrodetails/height/{both}-maxheight")) - 0.008).abs() < 1e-12);
        assert!(targets.iter().all(|(k, _)| !k.contains("female") && !k.starts_with("breast")));
    }
}
