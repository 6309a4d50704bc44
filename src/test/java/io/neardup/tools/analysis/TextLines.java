package io.neardup.tools.analysis;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.ShingleSet;
import io.neardup.engine.text.Shingler;
import io.neardup.engine.text.Shingles;
import io.neardup.engine.text.Shingling;
import io.neardup.record.Document;
import io.neardup.record.RawText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalLong;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Texts, as a file of JSON lines, and as what is read from it. */
public final class TextLines {
    private static final NeardupConfig CONFIG = NeardupConfig.of(new Settings());
    private static final int WORDS = 120;
    private static final int VOCABULARY = 2_000;

    private TextLines() {}

    /** Normalized texts of words that are the rarer the longer the list that they are taken from. */
    static List<String> generated(int count, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return Stream.generate(() -> Stream.generate(() -> word((int) (VOCABULARY * Math.pow(random.nextDouble(), 3))))
                        .limit(WORDS)
                        .collect(Collectors.joining(" ")))
                .limit(count)
                .toList();
    }

    /** So many words, all equally likely, of as many as are known. */
    public static String words(int count, int known, SplittableRandom random) {
        return Stream.generate(() -> word(random.nextInt(known))).limit(count).collect(Collectors.joining(" "));
    }

    private static String word(int rank) {
        return Long.toString(rank * 7_919L + 46_656, 36);
    }

    /** With another word in place of each with such a chance. */
    static String edited(String text, double chance, SplittableRandom random) {
        return Stream.of(text.split(" "))
                .map(word -> random.nextDouble() < chance ? "edit" + random.nextInt(100_000) : word)
                .collect(Collectors.joining(" "));
    }

    static DocumentLines.Source of(List<String> texts) {
        String lines =
                texts.stream().map(text -> "{\"text\":\"" + text + "\"}\n").collect(Collectors.joining());
        byte[] bytes = lines.getBytes(StandardCharsets.UTF_8);
        return () -> new DocumentLines(List.of("-"), new ByteArrayInputStream(bytes), CONFIG);
    }

    /** Tuned by the convention of the default settings. */
    static Tuning tune(List<String> texts) throws IOException {
        TuningTargets targets = targets("char:9", OptionalLong.empty());
        return new Tuner(of(texts), targets, Integer.MAX_VALUE, text -> {}).tune();
    }

    static TuningTargets targets(String shingle, OptionalLong indexSize) {
        return new TuningTargets(new Shingling(LetterCase.LOWER, shingle), 0.7, 0.02, 0.99, indexSize);
    }

    static List<ShingleSet> sets(List<ComparedText> texts, Shingler shingler) {
        Shingles buffer = new Shingles();
        return texts.stream().map(text -> text.shingles(shingler, buffer)).toList();
    }

    /** With ids from d0 on. */
    static List<Document> documents(List<String> texts) {
        return IntStream.range(0, texts.size())
                .mapToObj(i -> new Document("d" + i, RawText.of(texts.get(i)), ""))
                .toList();
    }

    static List<ComparedText> texts(List<String> texts) {
        return ComparedText.all(documents(texts), LetterCase.LOWER);
    }
}
