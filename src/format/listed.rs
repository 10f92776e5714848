//! Findings of a file or a game of which a hostile one could have millions.

use crate::diag::{Code, Finding, codes};

/// So many of one code are listed; the others are counted.
const MOST: usize = 20;

/// The first findings of each code.
#[derive(Debug, Default)]
pub(super) struct Listed {
    list: Vec<Finding>,
    counts: Vec<(Code, usize)>,
}

impl Listed {
    /// Lists a finding, or counts it.
    pub fn push(&mut self, finding: Finding) {
        let count = match self.counts.iter_mut().find(|(code, _)| *code == finding.code) {
            Some((_, count)) => count,
            None => {
                self.counts.push((finding.code, 0));
                let last = self.counts.len() - 1;
                &mut self.counts[last].1
            }
        };
        *count += 1;
        if *count <= MOST {
            self.list.push(finding);
        }
    }

    /// Lists several.
    pub fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }

    /// The list, and how many more there are.
    pub fn into_findings(mut self) -> Vec<Finding> {
        for (code, count) in self.counts.into_iter().filter(|(_, count)| *count > MOST) {
            let message = format!("{} more findings of {code} and its kind are not listed", count - MOST);
            self.list.push(Finding::new(codes::MORE_FINDINGS, message));
        }
        self.list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_listed_is_counted() {
        let mut listed = Listed::default();
        listed.push(Finding::new(codes::BAD_FEN, "once"));
        listed.extend((0..50).map(|_| Finding::new(codes::LOOSE_LINE, "again")));
        let findings = listed.into_findings();
        assert_eq!(findings.len(), 1 + MOST + 1);
        assert!(findings[MOST + 1].message.starts_with("30 more findings of F403"));
    }
}
