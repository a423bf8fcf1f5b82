//! Morph targets: plain text lines `index dx dy dz`.
//!
//! A target lists the vertices that it moves, in decimetres and in the axes
//! of the base mesh. Vertices that are not listed stay where they are.

use crate::{Error, Result};

use super::obj::{at_line, lines, parse_finite, parse_u32};

/// What one target file moves.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Target {
    /// The vertices, ascending, each once.
    pub indices: Vec<u32>,
    /// How far each of them moves at weight 1.
    pub deltas: Vec<[f64; 3]>,
}

/// Reads a target. Empty lines and lines that begin with `#` or `"` are
/// skipped; a file without any other line is a target that moves nothing,
/// which is legitimate.
pub fn parse_target(label: &str, bytes: &[u8], n_vertices: usize) -> Result<Target> {
    let mut indices: Vec<u32> = Vec::with_capacity(bytes.len() / 20);
    let mut deltas: Vec<[f64; 3]> = Vec::with_capacity(bytes.len() / 20);
    let mut sorted = true;
    for (number, line) in lines(bytes) {
        if is_skipped(line) {
            continue;
        }
        let (index, delta) = parse_line(line)
            .ok_or_else(|| at_line(label, number, line, "a line `index dx dy dz`"))?;
        if index as usize >= n_vertices {
            let expected = format!("a vertex below {n_vertices}");
            return Err(Error::input(
                label,
                format!("line {number}"),
                format!("vertex {index}"),
                expected,
            ));
        }
        match indices.last() {
            Some(&last) if last == index => return Err(duplicate(label, number, index)),
            Some(&last) if last > index => sorted = false,
            _ => {}
        }
        indices.push(index);
        deltas.push(delta);
    }
    if sorted { Ok(Target { indices, deltas }) } else { sort(label, bytes, indices, deltas) }
}

/// Sorts by vertex, which the real files never need.
fn sort(label: &str, bytes: &[u8], indices: Vec<u32>, deltas: Vec<[f64; 3]>) -> Result<Target> {
    let mut order: Vec<usize> = (0..indices.len()).collect();
    order.sort_by_key(|&i| (indices[i], i));
    if let Some(pair) = order.windows(2).find(|pair| indices[pair[0]] == indices[pair[1]]) {
        // Only now the line is of interest, so it is found by counting again.
        let number = lines(bytes).filter(|(_, line)| !is_skipped(line)).nth(pair[1]);
        return Err(duplicate(label, number.map_or(0, |(n, _)| n), indices[pair[1]]));
    }
    Ok(Target {
        indices: order.iter().map(|&i| indices[i]).collect(),
        deltas: order.iter().map(|&i| deltas[i]).collect(),
    })
}

fn is_skipped(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [] | [b'#' | b'"', ..])
}

/// Exactly four words: an index and three finite numbers.
fn parse_line(line: &[u8]) -> Option<(u32, [f64; 3])> {
    let mut rest = line;
    let index = parse_u32(next_word(&mut rest)?)?;
    let x = parse_finite(next_word(&mut rest)?)?;
    let y = parse_finite(next_word(&mut rest)?)?;
    let z = parse_finite(next_word(&mut rest)?)?;
    rest.trim_ascii().is_empty().then_some((index, [x, y, z]))
}

/// Takes the next word off the line. Lines are short, so a plain loop beats
/// a search with a set-up cost.
fn next_word<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let text = rest.trim_ascii_start();
    if text.is_empty() {
        return None;
    }
    let end = text.iter().position(u8::is_ascii_whitespace).unwrap_or(text.len());
    let (word, after) = text.split_at(end);
    *rest = after;
    Some(word)
}

fn duplicate(label: &str, number: usize, index: u32) -> Error {
    let found = format!("vertex {index} again");
    Error::input(label, format!("line {number}"), found, "each vertex once")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str) -> String {
        parse_target("t.target", text.as_bytes(), 100).unwrap_err().to_string()
    }

    #[test]
    fn lines_are_read_and_comments_skipped() {
        let text = "# head\r\n\"a line of prose\r\n\r\n 3 -.008 .5 1e-2 \r\n\t7 0 -1 2.\n";
        let target = parse_target("t.target", text.as_bytes(), 100).unwrap();
        assert_eq!(target.indices, [3, 7]);
        assert_eq!(target.deltas, [[-0.008, 0.5, 0.01], [0.0, -1.0, 2.0]]);
    }

    #[test]
    fn an_unsorted_file_is_sorted() {
        let target = parse_target("t.target", b"9 1 0 0\n2 2 0 0\n5 3 0 0", 100).unwrap();
        assert_eq!(target.indices, [2, 5, 9]);
        assert_eq!(target.deltas, [[2.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]]);
    }

    #[test]
    fn an_empty_file_moves_nothing() {
        assert_eq!(parse_target("t.target", b"", 1).unwrap(), Target::default());
        assert_eq!(parse_target("t.target", b"# only this\n\n", 1).unwrap(), Target::default());
    }

    #[test]
    fn duplicates_name_the_second_line() {
        let expected = "t.target: line 4: found vertex 5 again, expected each vertex once";
        assert_eq!(message("# c\n4 0 0 0\n5 0 0 0\n5 1 0 0\n"), expected);
        assert_eq!(message("# c\n5 0 0 0\n4 0 0 0\n5 1 0 0\n"), expected);
    }

    #[test]
    fn malformed_lines_are_errors() {
        assert_eq!(
            message("1 0 0 0\n100 0 0 0\n"),
            "t.target: line 2: found vertex 100, expected a vertex below 100"
        );
        for bad in
            ["1 0 0", "1 0 0 0 0", "-1 0 0 0", "1.5 0 0 0", "1 0 nan 0", "1 0 0 inf", "1 x 0 0"]
        {
            let found = message(&format!("0 0 0 0\n{bad}\n"));
            assert!(found.starts_with(&format!("t.target: line 2: found `{bad}`")), "{found}");
        }
    }
}
