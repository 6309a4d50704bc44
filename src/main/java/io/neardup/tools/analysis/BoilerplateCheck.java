package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.engine.similarity.Evidence;
import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.MinHashFamily;
import io.neardup.engine.similarity.SimilarityJudge;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.NormalizedBuffer;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.tools.local.LocalSummary.Repetition;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Looks for boilerplate in files that were deduplicated, by sets of shingles. At most {@value #DOCUMENTS_MAX} documents
 * are read again, of which 2,000 are drawn at random, or fewer if they are long. Duplicates are looked at if their
 * texts are found there, within {@value #WANTED_BYTES_MAX} bytes. Two runs agree.
 */
public final class BoilerplateCheck {
    private static final int DOCUMENTS_MAX = 200_000;
    private static final long WANTED_BYTES_MAX = 64_000_000;
    private static final long SEED = 1;

    /** Two documents may have one id: an original, and a new version of it. */
    private static final int TEXTS_OF_ID_MAX = 2;

    private final NeardupConfig config;
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Reservoir<ComparedText> drawing = BoilerplateSample.reservoir();
    private final NormalizedBuffer buffer;
    private final Map<String, List<ComparedText>> wanted = new HashMap<>();
    private List<ComparedText> drawn = List.of();
    private long wantedBytes;

    /** @param config of signatures that are made of sets of shingles */
    private BoilerplateCheck(NeardupConfig config) {
        this.config = config;
        this.buffer = config.shingling().normalizedBuffer();
    }

    /**
     * Reads the files again.
     *
     * @param found some of the duplicates
     */
    public static DuplicateBoilerplate of(
            List<String> files, NeardupConfig config, List<Repetition> found, AnalysisProgress progress)
            throws IOException {
        BoilerplateCheck check = new BoilerplateCheck(config);
        for (Repetition duplicate : found) {
            check.wanted.put(duplicate.id(), new ArrayList<>());
            check.wanted.put(duplicate.originalId(), new ArrayList<>());
        }
        progress.update("looking for boilerplate");
        for (String file : files) {
            check.read(file);
        }
        check.drawn = check.drawing.drawn();
        return check.result(found);
    }

    private void read(String file) throws IOException {
        try (DocumentLines lines = new DocumentLines(file, InputStream.nullInputStream(), config)) {
            Document document = lines.next();
            while (document != null && drawing.seen() < DOCUMENTS_MAX) {
                take(document);
                document = lines.next();
            }
        }
    }

    private void take(Document document) {
        List<ComparedText> texts = wanted.get(document.id());
        if (texts != null && texts.size() < TEXTS_OF_ID_MAX && wantedBytes < WANTED_BYTES_MAX) {
            texts.add(normalized(document));
            wantedBytes += texts.get(texts.size() - 1).length();
        }
        drawing.offer(Lots.next(random), () -> normalized(document));
    }

    private ComparedText normalized(Document document) {
        return ComparedText.of(0, document, buffer);
    }

    private DuplicateBoilerplate result(List<Repetition> found) {
        Shingling shingling = config.shingling();
        if (shingling.boilerplate() != null) {
            return new DuplicateBoilerplate(drawn.size(), shareLeftOut(shingling), 0, 0, Optional.empty());
        }
        BoilerplateCount count = BoilerplateCount.of(drawn, shingling, BoilerplateCount.DEFAULT_SHARE);
        return count.boilerplate()
                .map(common -> result(found, shingling.without(common), count.leftOut()))
                .orElse(new DuplicateBoilerplate(drawn.size(), 0, 0, 0, Optional.empty()));
    }

    private double shareLeftOut(Shingling shingling) {
        Shingler shingler = shingling.shingler(SEED);
        Shingles shingles = new Shingles();
        long left = 0;
        long leftOut = 0;
        for (ComparedText text : drawn) {
            text.shingle(shingler, shingles);
            left += shingles.size();
            leftOut += shingles.excluded();
        }
        return leftOut == 0 ? 0 : leftOut / (double) (left + leftOut);
    }

    private DuplicateBoilerplate result(List<Repetition> found, Shingling withoutCommon, double leftOut) {
        SimilarityJudge judge = new MinHashFamily(withoutCommon, config.measure(), Verification.EXACT).judge(1, SEED);
        int duplicates = 0;
        int heldTogether = 0;
        Optional<DuplicateBoilerplate.Example> example = Optional.empty();
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
            if (whole >= config.threshold()) {
                duplicates++;
                if (counting < config.threshold()) {
                    heldTogether++;
                    example = Optional.of(example.orElse(
                            new DuplicateBoilerplate.Example(duplicate.id(), duplicate.originalId(), whole, counting)));
                }
            }
        }
        return new DuplicateBoilerplate(drawn.size(), leftOut, duplicates, heldTogether, example);
    }
}
