package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LabelTrialsTest {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());

    private static final Shingling TRIGRAMS = new Shingling(LetterCase.LOWER, "char:3");
    private static final NeardupConfig EXACT =
            NeardupConfig.of(new Settings().set("neardup.similarity.threshold", "1", "test"));

    @TempDir
    private Path folder;

    @Test
    void shouldStartFromAHigherFloorWhereTooManyPairsAreAlike() throws IOException {
        ShingleScores whole = trials(Long.MAX_VALUE).scores(TRIGRAMS, 0.1).orElseThrow();
        ShingleScores bounded = trials(20_000).scores(TRIGRAMS, 0.1).orElseThrow();

        assertThat(whole.floor()).isEqualTo(0.1);
        assertThat(bounded.floor()).isGreaterThan(0.15);
        assertThat(bounded.settings()).isEqualTo(whole.settings());
        assertThat(whole.sweep()).startsWith(bounded.sweep().toArray(ShingleScores.AtThreshold[]::new));
    }

    @Test
    void shouldGiveUpWhereNoFloorIsHighEnough() throws IOException {
        assertThat(trials(1).scores(TRIGRAMS, 0.1)).isEmpty();
    }

    @Test
    void shouldScoreWhatIsEqualWhereThatIsTheFloor() throws IOException {
        ShingleScores equal = trials(EXACT, Long.MAX_VALUE).scores(TRIGRAMS, 1).orElseThrow();

        assertThat(equal.best().score()).isEqualTo(new Score(1, 1, 2));
    }

    private LabelTrials trials(long stepsMax) throws IOException {
        return trials(CONFIG, stepsMax);
    }

    private LabelTrials trials(NeardupConfig config, long stepsMax) throws IOException {
        List<String> texts = new ArrayList<>(Generated.documents(60, 1));
        texts.add(texts.get(0));
        List<Document> documents = new ArrayList<>();
        for (String text : texts) {
            documents.add(new Document("d" + documents.size(), RawText.of(text), ""));
        }
        Path file = Files.writeString(folder.resolve("labels"), "d0,d60\nd1,d2\n");
        return new LabelTrials(
                ComparedText.all(documents, LetterCase.LOWER),
                config,
                Labels.read(file, documents),
                0,
                stepsMax,
                text -> {});
    }
}
