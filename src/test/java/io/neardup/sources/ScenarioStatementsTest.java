package io.neardup.sources;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.engine.similarity.ExactJudge;
import io.neardup.engine.similarity.ExactOverlap;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.text.NormalizedText;
import io.neardup.engine.text.Shingler;
import io.neardup.testing.NewsDocuments;
import java.util.Map;

/** Where duplicates come from, in invented texts. */
class ScenarioStatementsTest {
    private static final String PARAGRAPH =
            "The harbour was closed at noon, and two ferries turned back before the storm.";
    private static final String STORY =
            new NewsDocuments(41, 2_300, 0).document(0).text();

    /** Each is compared with what was there before it. */
    private static final Map<String, String[]> PAIRS = Map.of(
            "footer", new String[] {STORY, STORY + "\n\n" + PARAGRAPH + "\nAll rights reserved by this paper."},
            "update", new String[] {STORY, PARAGRAPH + " " + PARAGRAPH.replace("two", "seven") + "\n\n" + STORY},
            "feedback",
                    new String[] {
                        "The form says that my order 1741 was lost, though I paid for it a week ago. What shall I do?",
                        "The form says that my order 1742 was lost, though I paid for it a week ago. What shall I do?"
                    },
            "spam",
                    new String[] {
                        "Best mattress ever!!! I slept like a child for the first time in years, thanks to this shop.",
                        "BEST MATTRESS EVER!!! I slept like a child for the first time in years,  thanks to this shop"
                    },
            "paraphrase",
                    new String[] {
                        "what's the flight time from Berlin to Helsinki?",
                        "how long does it take to fly from Berlin to Helsinki?"
                    });

    @StatementTest("A41")
    void shouldTakeEditedCopiesForDuplicatesAndParaphrasesNot(Statement statement) {
        ExactOverlap judge = new ExactOverlap(Shingler.of(statement.text("shingle"), Shingled.SEED), Measure.JACCARD);

        assertThat(statement.expected().keySet()).isEqualTo(PAIRS.keySet());
        PAIRS.forEach((scenario, texts) -> {
            double similarity = judge.similarity(
                            ExactJudge.evidence(NormalizedText.of(texts[0])),
                            ExactJudge.evidence(NormalizedText.of(texts[1])))
                    .value();

            assertThat(similarity >= statement.number("threshold") ? "duplicate" : "unique")
                    .as("%s: %s", scenario, similarity)
                    .isEqualTo(statement.expectedText(scenario));
        });
    }
}
