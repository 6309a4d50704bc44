package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import io.neardup.tools.analysis.AskedTuning;
import io.neardup.tools.analysis.DocumentSample;
import io.neardup.tools.analysis.PairPool;
import io.neardup.tools.analysis.TuningTargets;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class AskReportTest {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());
    private static final List<Document> DOCUMENTS = IntStream.range(0, 30)
            .mapToObj(i -> new Document("d" + i, RawText.of("words that all documents have, and the number " + i), ""))
            .toList();

    @Test
    void shouldNotSayThatNothingIsAlikeWhereTooMuchIs() {
        String report = print(1);

        assertThat(report)
                .contains("30 documents; 0 pairs of them were looked at")
                .contains("Too many pairs are alike to compare them all. Looked for were those from:\n")
                .contains("char:9 none", "leave it out: neardup tune FILE --boilerplate OUT")
                .doesNotContain("There is nothing to ask");
    }

    @Test
    void shouldNotSpeakOfTooManyWhereAllAreCompared() {
        assertThat(print(Long.MAX_VALUE))
                .contains("435 pairs of them may be duplicates")
                .doesNotContain("Too many");
    }

    private static String print(long stepsMax) {
        TuningTargets targets = TuningTargets.of(CONFIG, OptionalLong.empty(), 256);
        PairPool pool = PairPool.of(DOCUMENTS, CONFIG.shingling(), List.of("char:9", "word:1"), stepsMax, text -> {});
        DocumentSample sample = new DocumentSample(DOCUMENTS, DOCUMENTS.size(), List.of(), true, false);
        AskReport.Interview asked = new AskReport.Interview(sample, DOCUMENTS.size(), Path.of("answers"), null, 0, 10);
        StringWriter out = new StringWriter();
        new AskReport(asked, pool, new AskedTuning(pool), targets).print(new PrintWriter(out, true));
        return out.toString();
    }
}
