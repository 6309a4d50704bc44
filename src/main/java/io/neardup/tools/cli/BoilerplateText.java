package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import io.neardup.config.NeardupConfig;
import io.neardup.config.SignatureKind;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.BoilerplateCheck;
import io.neardup.tools.local.LocalSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a local run says of boilerplate. */
final class BoilerplateText {
    private static final Logger LOG = LoggerFactory.getLogger(BoilerplateText.class);

    private BoilerplateText() {}

    /** Looks for it, unless the input cannot be read again or nothing was found by sets of shingles. */
    static Optional<BoilerplateCheck> of(
            List<String> files, NeardupConfig config, LocalSummary summary, AnalysisProgress progress) {
        boolean isRead = config.signature() == SignatureKind.Brought.MINHASH
                && !files.isEmpty()
                && files.stream().allMatch(RereadInput::isReadAgain)
                && (summary.duplicates() > 0 || config.shingling().boilerplate() != null);
        if (!isRead) {
            return Optional.empty();
        }
        try {
            return Optional.of(BoilerplateCheck.of(files, config, summary.someDuplicates(), progress));
        } catch (IOException e) {
            LOG.warn("boilerplate was not looked for: the input cannot be read again: {}", e.getMessage());
            return Optional.empty();
        }
    }

    /** Nothing where there is nothing to say. */
    static List<String> lines(BoilerplateCheck boilerplate, NeardupConfig config) {
        if (config.shingling().boilerplate() != null) {
            return List.of(
                    "",
                    text(
                            "%.1f %% of the shingles of %,d documents are common and were left out.",
                            100 * boilerplate.leftOut(), boilerplate.documents()));
        }
        BoilerplateCheck.Example example = boilerplate.example();
        if (!boilerplate.holdsMost() || example == null) {
            return List.of();
        }
        String sentence = text(
                "Boilerplate holds %.0f %% of %,d duplicates together: without the shingles that more than 5 %% of all"
                        + " clusters of documents hold, they are below the threshold of %s. For example %s repeats %s"
                        + " by %.2f, and by %.2f without. They may be other documents of the same template. The way"
                        + " out: tune boilerplate FILE --write OUT, then neardup.boilerplate=OUT.",
                100.0 * boilerplate.heldTogether() / boilerplate.duplicates(),
                boilerplate.duplicates(),
                config.threshold(),
                example.id(),
                example.originalId(),
                example.similarity(),
                example.withoutCommon());
        return new TextTable().blank().text(sentence).lines();
    }
}
