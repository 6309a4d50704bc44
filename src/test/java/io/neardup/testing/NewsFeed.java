package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.neardup.tools.local.LocalRun;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;

/** Invented news, a third of them edited copies of earlier ones. The same arguments give the same feed. */
public final class NewsFeed {
    private static final double COPIES = 0.35;

    private final Random random;
    private final int storyWords;
    private final List<String> vocabulary;
    private final List<List<String>> stories = new ArrayList<>();

    /**
     * @param vocabulary words there are
     * @param storyWords words of a story, at least; twice as many at the most
     */
    private NewsFeed(long seed, int vocabulary, int storyWords) {
        random = new Random(seed);
        this.storyWords = storyWords;
        this.vocabulary = IntStream.range(0, vocabulary).mapToObj(i -> word()).toList();
    }

    /**
     * A document.
     *
     * @param text in normalized form already: lower case, single spaces
     */
    public record News(String id, String text) {
        /** Some time of the year 2026, its own for each document. */
        public long timestamp() {
            return 1_767_225_600_000L + id.hashCode() % 1_000_000L;
        }

        public List<Header> headers() {
            return List.of(new RecordHeader("crawler", id.getBytes(UTF_8)), new RecordHeader("empty", null));
        }

        public byte[] json() {
            return ("{\"id\":\"" + id + "\",\"text\":\"" + text + "\"}").getBytes(UTF_8);
        }
    }

    /** The lines of the feed that {@code local} reads where none is given. */
    public static List<String> sample() throws IOException {
        try (InputStream in = Objects.requireNonNull(LocalRun.class.getResourceAsStream("sample-feed.jsonl"))) {
            return new String(in.readAllBytes(), UTF_8).lines().toList();
        }
    }

    public static List<News> generate(int documents, long seed) {
        return new NewsFeed(seed, 4_000, 60).generate(documents);
    }

    /** Many news of 20 to 40 words, from a vocabulary so large that few of them share a word. */
    public static List<News> generateShort(int documents, long seed) {
        return new NewsFeed(seed, 100_000, 20).generate(documents);
    }

    private List<News> generate(int documents) {
        return IntStream.range(0, documents)
                .mapToObj(i -> new News("n" + i, String.join(" ", next())))
                .toList();
    }

    private List<String> next() {
        if (!stories.isEmpty() && random.nextDouble() < COPIES) {
            return edit(stories.get(random.nextInt(stories.size())));
        }
        List<String> story = words(storyWords + random.nextInt(storyWords));
        stories.add(story);
        return story;
    }

    private List<String> edit(List<String> story) {
        List<String> edited = new ArrayList<>(story);
        switch (random.nextInt(5)) {
            case 0 -> edited.addAll(words(1 + random.nextInt(6)));
            case 1 -> edited.addAll(0, words(1 + random.nextInt(6)));
            case 2 ->
                edited.subList((int) (edited.size() * (0.75 + 0.25 * random.nextDouble())), edited.size())
                        .clear();
            case 3 ->
                IntStream.range(0, 1 + random.nextInt(6))
                        .forEach(i -> edited.set(random.nextInt(edited.size()), anyWord()));
            default -> {
                // An exact copy.
            }
        }
        return edited;
    }

    private List<String> words(int count) {
        return IntStream.range(0, count).mapToObj(i -> anyWord()).collect(Collectors.toList());
    }

    private String anyWord() {
        return vocabulary.get(random.nextInt(vocabulary.size()));
    }

    private String word() {
        return random.ints(2 + random.nextInt(8), 'a', 'z' + 1)
                .mapToObj(c -> String.valueOf((char) c))
                .collect(Collectors.joining());
    }
}
