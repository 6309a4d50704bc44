package io.neardup.tools.analysis;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.feed.Progress;
import io.neardup.tools.local.LocalSummary.Repetition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How much of files that were deduplicated, by sets of shingles, is boilerplate: shingles that many unlike documents
 * hold.
 *
 * @param documents looked at
 * @param leftOut the share of their shingles that is common, 0 to 1
 * @param duplicates looked at, each with its original
 * @param heldTogether how many of these would be below the threshold without the boilerplate
 * @param example one of them, if there is one
 */
public record BoilerplateCheck(
        int documents,
        double leftOut,
        int duplicates,
        int heldTogether,
        @JsonUnwrapped @Nullable Example example) {
    /** A duplicate that is held together by boilerplate. */
    public record Example(
            @JsonProperty("exampleId") String id,
            @JsonProperty("exampleOriginalId") String originalId,
            @JsonIgnore double similarity,
            @JsonIgnore double withoutCommon) {}

    /** From fewer duplicates nothing is concluded. */
    private static final int DUPLICATES_MIN = 5;

    /** Documents that are read again at most. */
    private static final int DOCUMENTS_MAX = 200_000;

    /** Texts of duplicates and their originals. */
    private static final long WANTED_BYTES_MAX = 64_000_000;

    private static final long SEED = 1;

    /** Two documents may have one id: an original, and a new version of it. */
    private static final int TEXTS_OF_ID_MAX = 2;

    /** Whether most of the duplicates are held together by it. */
    public boolean holdsMost() {
        return duplicates >= DUPLICATES_MIN && 2 * heldTogether > duplicates;
    }

    /**
     * Reads the files again, of many documents the first. Boilerplate is counted in some that are drawn at random;
     * duplicates are looked at if their texts are found, within {@value #WANTED_BYTES_MAX} bytes. Two runs agree.
     *
     * @param config of signatures that are made of sets of shingles
     * @param found some of the duplicates
     */
    public static BoilerplateCheck of(
            List<String> files, NeardupConfig config, List<Repetition> found, Progress progress) throws IOException {
        BoilerplateSample.Drawing drawing = new BoilerplateSample.Drawing(config.shingling(), 0);
        Map<String, List<ComparedText>> wanted = new HashMap<>();
        for (Repetition duplicate : found) {
            wanted.put(duplicate.id(), new ArrayList<>());
            wanted.put(duplicate.originalId(), new ArrayList<>());
        }
        progress.update("looking for boilerplate");
        long wantedBytes = 0;
        try (DocumentLines lines = new DocumentLines(files, InputStream.nullInputStream(), config)) {
            Document document = lines.next();
            while (document != null && drawing.passed() < DOCUMENTS_MAX) {
                List<ComparedText> texts = wanted.get(document.id());
                if (texts != null && texts.size() < TEXTS_OF_ID_MAX && wantedBytes < WANTED_BYTES_MAX) {
                    ComparedText text = drawing.normalized(document);
                    texts.add(text);
                    wantedBytes += text.length();
                }
                drawing.pass(document);
                document = lines.next();
            }
        }
        List<ComparedText> drawn = drawing.texts();
        Shingling shingling = config.shingling();
        if (shingling.boilerplate() != null) {
            return new BoilerplateCheck(drawn.size(), shareLeftOut(drawn, shingling), 0, 0, null);
        }
        BoilerplateCount count = BoilerplateCount.of(drawn, List.of(), shingling, BoilerplateCount.DEFAULT_SHARE);
        return count.boilerplate()
                .map(common -> of(count, config, shingling.without(common), found, wanted))
                .orElse(new BoilerplateCheck(drawn.size(), 0, 0, 0, null));
    }

    private static double shareLeftOut(List<ComparedText> drawn, Shingling shingling) {
        Shingler shingler = shingling.shingler(SEED);
        Shingles shingles = new Shingles();
        long all = 0;
        long leftOut = 0;
        for (ComparedText text : drawn) {
            text.shingle(shingler, shingles);
            all += shingles.size() + shingles.excluded();
            leftOut += shingles.excluded();
        }
        return all == 0 ? 0 : leftOut / (double) all;
    }

    private static BoilerplateCheck of(
            BoilerplateCount count,
            NeardupConfig config,
            Shingling withoutCommon,
            List<Repetition> found,
            Map<String, List<ComparedText>> wanted) {
        SimilarityJudge judge = new MinHashFamily(withoutCommon, config.measure(), Verification.EXACT).judge(1, SEED);
        int duplicates = 0;
        int heldTogether = 0;
        Example example = null;
        for (Repetition duplicate : found) {
            List<ComparedText> texts = wanted.getOrDefault(duplicate.id(), List.of());
            List<ComparedText> originals = wanted.getOrDefault(duplicate.originalId(), List.of());
            if (texts.isEmpty() || originals.isEmpty()) {
                continue;
            }
            Evidence of = ExactJudge.evidence(texts.get(texts.size() - 1).text());
            Evidence original = ExactJudge.evidence(originals.get(0).text());
            double whole = judge.whole(of, original);
            double counting = judge.similarity(of, original).value();
            // Where ids repeat, another document may have been taken for it.
            duplicates += whole >= config.threshold() ? 1 : 0;
            if (whole >= config.threshold() && counting < config.threshold()) {
                heldTogether++;
                example = example == null
                        ? new Example(duplicate.id(), duplicate.originalId(), whole, counting)
                        : example;
            }
        }
        return new BoilerplateCheck(count.documents(), count.leftOut(), duplicates, heldTogether, example);
    }
}
