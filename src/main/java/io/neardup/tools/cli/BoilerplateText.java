package io.neardup.tools.cli;

import static io.neardup.tools.cli.FigureText.text;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.config.NeardupConfig;
import io.neardup.config.SignatureKind;
import io.neardup.tools.analysis.AnalysisProgress;
import io.neardup.tools.analysis.BoilerplateCheck;
import io.neardup.tools.analysis.DuplicateBoilerplate;
import io.neardup.tools.local.LocalSummary;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a local run says of boilerplate. */
final class BoilerplateText {
    private static final Logger LOG = LoggerFactory.getLogger(BoilerplateText.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private BoilerplateText() {}

    /** Looks for it, unless the input cannot be read again or nothing was found by sets of shingles. */
    static Optional<DuplicateBoilerplate> of(
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
    static List<String> lines(DuplicateBoilerplate boilerplate, NeardupConfig config) {
        if (config.shingling().boilerplate() != null) {
            return List.of(
                    "",
                    text(
                            "%.1f %% of the shingles of %,d documents are common and were left out.",
                            100 * boilerplate.leftOut(), boilerplate.documents()));
        }
        DuplicateBoilerplate.Example example = boilerplate.example().orElse(null);
        if (!boilerplate.holdsMost() || example == null) {
            return List.of();
        }
        return List.of(
                "",
                text(
                        "Boilerplate holds %.0f %% of %,d duplicates together: without the shingles that more than"
                                + " 5 %% of all",
                        100.0 * boilerplate.heldTogether() / boilerplate.duplicates(), boilerplate.duplicates()),
                text(
                        "clusters of documents hold, they are below the threshold of %s. For example %s repeats %s",
                        config.threshold(), example.id(), example.originalId()),
                text(
                        "by %.2f, and by %.2f without. They may be other documents of the same template. The way out:",
                        example.similarity(), example.withoutCommon()),
                "tune boilerplate FILE --write OUT, then neardup.boilerplate=OUT.");
    }

    static ObjectNode json(DuplicateBoilerplate boilerplate) {
        ObjectNode json = JSON.createObjectNode()
                .put("documents", boilerplate.documents())
                .put("leftOut", boilerplate.leftOut())
                .put("duplicates", boilerplate.duplicates())
                .put("heldTogether", boilerplate.heldTogether());
        boilerplate.example().ifPresent(example -> json.put("exampleId", example.id())
                .put("exampleOriginalId", example.originalId()));
        return json;
    }
}
