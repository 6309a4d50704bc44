package io.neardup.tools.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.CommonSets;
import io.neardup.tools.local.LocalSummary.Repetition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BoilerplateCheckTest {
    @TempDir
    private Path folder;

    /** 40 texts in a template that is most of them, and 40 in which it is half, among 100 others. */
    @Test
    void shouldFindTheDuplicatesThatATemplateHoldsTogether() throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        String template = words(random, 200);
        List<String> texts = texts(40, template, 22, random);
        texts.addAll(texts(40, template, 200, random));
        texts.addAll(texts(100, "", 100, random));

        BoilerplateCheck boilerplate = check(texts, duplicatesOfFirst(39));

        assertThat(boilerplate.duplicates()).isEqualTo(39);
        assertThat(boilerplate.heldTogether()).isEqualTo(39);
        assertThat(boilerplate.holdsMost()).isTrue();
        assertThat(boilerplate.leftOut()).isBetween(0.3, 0.7);
        BoilerplateCheck.Example example = Objects.requireNonNull(boilerplate.example());
        assertThat(example.id()).isEqualTo("d1");
        assertThat(example.similarity()).isGreaterThan(0.7);
        assertThat(example.withoutCommon()).isLessThan(0.1);
    }

    /** A story with 60 copies that are hardly edited, and texts that share nothing. */
    @Test
    void shouldNotTakeAStoryThatIsEverywhereForBoilerplate() throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        String story = words(random, 100);
        List<String> texts = texts(60, story, 3, random);
        texts.addAll(texts(100, "", 100, random));

        BoilerplateCheck boilerplate = check(texts, duplicatesOfFirst(59));

        assertThat(boilerplate.holdsMost()).isFalse();
        assertThat(boilerplate.heldTogether()).isZero();
    }

    /** A duplicate is looked at only if it is found again, at or above the threshold. */
    @Test
    void shouldLeaveAloneWhatItDoesNotFind() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        String template = words(random, 200);

        BoilerplateCheck boilerplate = check(
                texts(40, template, 100, random), List.of(new Repetition("d1", "d0"), new Repetition("gone", "d0")));

        assertThat(boilerplate.duplicates()).isZero();
        assertThat(boilerplate.holdsMost()).isFalse();
    }

    @Test
    void shouldTellTheShareThatIsLeftOut() throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        String template = words(random, 60);
        List<String> texts = texts(30, template, 40, random);
        Path common = Files.writeString(folder.resolve("common"), CommonSets.fileOfWords(template));

        BoilerplateCheck boilerplate =
                check(texts, List.of(), "neardup.shingle=word:1", "neardup.boilerplate=" + common);

        assertThat(boilerplate.leftOut()).isEqualTo(0.6);
        assertThat(boilerplate.documents()).isEqualTo(30);
    }

    /** Documents of a beginning and so many words of their own. */
    private static List<String> texts(int documents, String beginning, int words, SplittableRandom random) {
        return Stream.generate(() -> beginning + " " + words(random, words))
                .limit(documents)
                .collect(Collectors.toList());
    }

    /** The second document and some behind it repeat the first. */
    private static List<Repetition> duplicatesOfFirst(int duplicates) {
        return IntStream.rangeClosed(1, duplicates)
                .mapToObj(i -> new Repetition("d" + i, "d0"))
                .toList();
    }

    private BoilerplateCheck check(List<String> texts, List<Repetition> found, String... settings) throws IOException {
        Path file = folder.resolve("documents.jsonl");
        Files.write(
                file,
                IntStream.range(0, texts.size())
                        .mapToObj(i -> "{\"id\":\"d%d\",\"text\":\"%s\"}".formatted(i, texts.get(i)))
                        .toList());
        NeardupConfig config = NeardupConfig.of(new Settings().pairs(List.of(settings)));
        return BoilerplateCheck.of(List.of(file.toString()), config, found, text -> {});
    }

    /** Words of eight letters, hardly any of them twice. */
    private static String words(SplittableRandom random, int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> random.ints(8, 'a', 'z' + 1)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append))
                .collect(Collectors.joining(" "));
    }
}
