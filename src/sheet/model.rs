//! The move model: weights for the features of `feature.rs`, trained on games of master players.
//!
//! The table is `model.bin`, made by `tools/train_model.rs`; `model.md` beside it says from what. It holds one signed
//! byte a feature and a scale, nothing of any game.

use super::feature::{FEATURES, cheap};
use crate::board::{Move, Position};
use std::sync::OnceLock;

static TABLE: &[u8] = include_bytes!("model.bin");

/// Magic of the table file.
pub const MAGIC: &[u8; 4] = b"YMM1";

/// The weights are surer of themselves than they should be on games that did not train them: chosen so that the shares of
/// readings come true about as often as they say.
pub const DAMPED: f64 = 0.8;

/// Weights of the features.
#[derive(Debug)]
pub struct Model {
    weights: Vec<f32>,
}

impl Model {
    /// The model shipped with the program.
    pub fn shipped() -> &'static Model {
        static MODEL: OnceLock<Model> = OnceLock::new();
        MODEL.get_or_init(|| Model::from_bytes(TABLE).unwrap_or_else(|| Model { weights: vec![0.0; FEATURES] }))
    }

    /// A model with these weights; missing ones are 0.
    pub fn new(mut weights: Vec<f32>) -> Model {
        weights.resize(FEATURES, 0.0);
        Model { weights }
    }

    /// The weights, one a feature.
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// Reads a table. `None` if it is not one for the features of this version.
    pub fn from_bytes(bytes: &[u8]) -> Option<Model> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (count, rest) = rest.split_first_chunk::<4>()?;
        let (scale, weights) = rest.split_first_chunk::<4>()?;
        let scale = f32::from_le_bytes(*scale);
        if u32::from_le_bytes(*count) as usize != FEATURES || weights.len() != FEATURES || !scale.is_finite() {
            return None;
        }
        Some(Model { weights: weights.iter().map(|&w| f32::from(w as i8) * scale).collect() })
    }

    /// The table as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let scale = self.weights.iter().fold(0.01f32, |most, w| most.max(w.abs())) / 127.0;
        let mut bytes = MAGIC.to_vec();
        bytes.extend((FEATURES as u32).to_le_bytes());
        bytes.extend(f32::to_le_bytes(scale));
        bytes.extend(self.weights.iter().map(|&w| (w / scale).round().clamp(-127.0, 127.0) as i8 as u8));
        bytes
    }

    /// The likelihood of a ply with these features (a logarithm, up to a constant).
    pub fn value(&self, features: &[u32]) -> f64 {
        features.iter().map(|&f| f64::from(self.weights[f as usize])).sum::<f64>() * DAMPED
    }

    /// The cheap measure of a move: where it goes from and to, nothing else.
    pub fn cheap(&self, m: Move, position: &Position) -> f32 {
        cheap(m, position).map_or(0.0, |features| features.iter().map(|&f| self.weights[f]).sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_table_fits_the_features_of_this_version() {
        assert!(Model::from_bytes(TABLE).is_some(), "train the model again: tools/train_model.rs");
        assert!(TABLE.len() < 400_000);
    }

    #[test]
    fn a_table_reads_back_what_was_written() {
        let model = Model::new((0..FEATURES).map(|i| (i % 7) as f32 - 3.0).collect());
        let again = Model::from_bytes(&model.to_bytes()).unwrap();
        assert!(model.weights.iter().zip(&again.weights).all(|(a, b)| (a - b).abs() < 0.02));
        assert!(Model::from_bytes(b"YMM1").is_none());
    }
}
