package io.neardup.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.local.FoundDuplicate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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
        List<String> texts = new ArrayList<>();
        IntStream.range(0, 40).forEach(i -> texts.add(template + " " + words(random, 22)));
        IntStream.range(0, 40).forEach(i -> texts.add(template + " " + words(random, 200)));
        IntStream.range(0, 100).forEach(i -> texts.add(words(random, 100)));
        List<FoundDuplicate> found = IntStream.range(1, 40)
                .mapToObj(i -> new FoundDuplicate("d" + i, "d0"))
                .toList();

        DuplicateBoilerplate boilerplate = check(texts, found);

        assertThat(boilerplate.duplicates()).isEqualTo(39);
        assertThat(boilerplate.heldTogether()).isEqualTo(39);
        assertThat(boilerplate.holdsMost()).isTrue();
        assertThat(boilerplate.leftOut()).isBetween(0.3, 0.7);
        DuplicateBoilerplate.Example example = boilerplate.example().orElseThrow();
        assertThat(example.id()).isEqualTo("d1");
        assertThat(example.similarity()).isGreaterThan(0.7);
        assertThat(example.withoutCommon()).isLessThan(0.1);
    }

    /** A story with 60 copies that are hardly edited, and texts that share nothing. */
    @Test
    void shouldNotTakeAStoryThatIsEverywhereForBoilerplate() throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        String story = words(random, 100);
        List<String> texts = new ArrayList<>();
        IntStream.range(0, 60).forEach(i -> texts.add(story + " " + words(random, 3)));
        IntStream.range(0, 100).forEach(i -> texts.add(words(random, 100)));
        List<FoundDuplicate> found = IntStream.range(1, 60)
                .mapToObj(i -> new FoundDuplicate("d" + i, "d0"))
                .toList();

        DuplicateBoilerplate boilerplate = check(texts, found);

        assertThat(boilerplate.holdsMost()).isFalse();
        assertThat(boilerplate.heldTogether()).isZero();
    }

    /** A duplicate is looked at only if it is found again, at or above the threshold. */
    @Test
    void shouldLeaveAloneWhatItDoesNotFind() throws IOException {
        SplittableRandom random = new SplittableRandom(3);
        String template = words(random, 200);
        List<String> texts = IntStream.range(0, 40)
                .mapToObj(i -> template + " " + words(random, 100))
                .toList();

        DuplicateBoilerplate boilerplate =
                check(texts, List.of(new FoundDuplicate("d1", "d0"), new FoundDuplicate("gone", "d0")));

        assertThat(boilerplate.duplicates()).isZero();
        assertThat(boilerplate.holdsMost()).isFalse();
    }

    @Test
    void shouldTellTheShareThatIsLeftOut() throws IOException {
        SplittableRandom random = new SplittableRandom(4);
        String template = words(random, 60);
        List<String> texts = IntStream.range(0, 30)
                .mapToObj(i -> template + " " + words(random, 40))
                .toList();
        Path common = Files.writeString(
                folder.resolve("common"),
                header()
                        + List.of(template.split(" ", -1)).stream()
                                .distinct()
                                .sorted()
                                .map(word -> "30\t" + word + "\n")
                                .collect(Collectors.joining()));

        DuplicateBoilerplate boilerplate =
                check(texts, List.of(), "neardup.shingle=word:1", "neardup.shingle.common=" + common);

        assertThat(boilerplate.leftOut()).isEqualTo(0.6);
        assertThat(boilerplate.documents()).isEqualTo(30);
    }

    private static String header() {
        return """
                # version=1
                # shingle=word:1
                # case=lower
                # documents=30
                # clusters=30
                # share=0.05
                """;
    }

    private DuplicateBoilerplate check(List<String> texts, List<FoundDuplicate> found, String... settings)
            throws IOException {
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
