package io.neardup.tools.cli;

import io.neardup.config.NeardupConfig;
import io.neardup.config.SignatureKind;
import io.neardup.engine.similarity.Measure;
import java.util.Locale;

/**
 * What commands need that measure exact similarities: settings under which they are the Jaccard similarity of shingles.
 */
final class ShingleJaccard {
    private ShingleJaccard() {}

    /**
     * Settings, if they compare so.
     *
     * @param command to be named in the message
     * @throws IllegalArgumentException for other signatures and for containment
     */
    static NeardupConfig required(String command, NeardupConfig config) {
        if (config.signature() != SignatureKind.Brought.MINHASH || config.measure() != Measure.JACCARD) {
            throw new IllegalArgumentException(
                    command + " compares by the Jaccard similarity of shingles: expected neardup.signature=minhash and"
                            + " neardup.similarity.measure=jaccard, found " + config.signature() + " and "
                            + config.measure().name().toLowerCase(Locale.ROOT));
        }
        return config;
    }
}
