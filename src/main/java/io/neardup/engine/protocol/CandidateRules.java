package io.neardup.engine.protocol;

import io.neardup.engine.similarity.SketchCut;

/**
 * Which candidates of a document are judged.
 *
 * @param askedMax how many that the bands name a document asks about; the rest is left out and counted. Older
 *     documents that it yields to, and whom those in a crowd tell of, come on top
 * @param crowdMin from so many on that it asked about, a document is in a crowd. Few: one that asks few can be left out
 *     by another that asks as many as it may, where the two share other numbers of bands with those in between
 * @param verifiedMax of how many that one question names a coordinator compares the evidence, until {@link #matchesMax}
 *     are matches; the rest is left out or put off, and counted
 * @param cut by which candidates are dropped whose sketches differ too much from that of the asker
 */
public record CandidateRules(int askedMax, int crowdMin, int verifiedMax, SketchCut cut) {
    public CandidateRules {
        if (askedMax < 1 || crowdMin < 1 || verifiedMax < 1) {
            throw new IllegalArgumentException(
                    "expected at least 1 everywhere, found " + askedMax + ", " + crowdMin + ", " + verifiedMax);
        }
    }

    /**
     * With so many matches among those that one question names, the rest is put off. Copies without end all match, and
     * any of them leads to their original; look-alikes do not. Who yields to the asker leads nowhere: it does not
     * count.
     */
    int matchesMax() {
        return Math.max(1, verifiedMax / 8);
    }

    /**
     * Where a document waits for so many of those that one question names, the other pending ones are put off: each
     * that it waits for delays it, and any of them leads to their original.
     */
    int awaitedMax() {
        return Math.max(1, verifiedMax / 32);
    }
}
