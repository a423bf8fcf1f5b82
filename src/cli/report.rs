//! The JSON report of a batch.

use std::path::Path;

use serde::Serialize;

use super::page::Content;
use crate::Result;
use crate::files::write_atomically;
use crate::pipeline::{Export, StageTimes};

/// What became of every input.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    /// The program and its version.
    pub generator: &'static str,
    /// Inputs in the order of the command line.
    pub files: Vec<FileReport>,
}

/// What became of one input.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FileReport {
    /// The spec's file.
    pub input: String,
    /// What went wrong, if anything did; then the rest is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
    /// Its size, content and times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub export: Option<ExportReport>,
    /// What a page says of it, when one is asked for.
    #[serde(skip)]
    pub content: Option<Content>,
}

/// Size, content and times of a file.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ExportReport {
    bytes: usize,
    height_m: f32,
    vertices: usize,
    triangles: usize,
    meshes: Vec<MeshReport>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    warnings: Vec<String>,
    milliseconds: Milliseconds,
}

#[derive(Debug, Serialize)]
struct MeshReport {
    name: String,
    vertices: usize,
    triangles: usize,
}

#[derive(Debug, Serialize)]
struct Milliseconds {
    character: f64,
    rig: f64,
    scene: f64,
    glb: f64,
}

impl ExportReport {
    /// The report of an export.
    pub fn new(export: &Export) -> ExportReport {
        let meshes = &export.stats.meshes;
        let StageTimes { character, rig, scene, glb } = export.times;
        let ms = |d: std::time::Duration| (d.as_secs_f64() * 1e6).round() / 1e3;
        ExportReport {
            bytes: export.bytes.len(),
            height_m: export.stats.height_m,
            vertices: meshes.iter().map(|m| m.n_vertices).sum(),
            triangles: meshes.iter().map(|m| m.n_triangles).sum(),
            meshes: meshes
                .iter()
                .map(|m| MeshReport {
                    name: m.name.clone(),
                    vertices: m.n_vertices,
                    triangles: m.n_triangles,
                })
                .collect(),
            warnings: export.warnings.clone(),
            milliseconds: Milliseconds {
                character: ms(character),
                rig: ms(rig),
                scene: ms(scene),
                glb: ms(glb),
            },
        }
    }

    /// What a user should know of it.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The line that is printed for it, without the file's name.
    pub fn line(&self) -> String {
        format!(
            "{} bytes, {} triangles, {} vertices, {} meshes, {:.3} m tall",
            self.bytes,
            self.triangles,
            self.vertices,
            self.meshes.len(),
            self.height_m
        )
    }
}

impl Report {
    /// Writes the report.
    ///
    /// # Errors
    /// [`crate::Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        let mut json = serde_json::to_vec_pretty(self).expect("a report has only plain values");
        json.push(b'\n');
        write_atomically(path, &json)
    }
}
