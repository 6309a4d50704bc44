package io.neardup.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.neardup.record.Verdict;
import io.neardup.record.Verdict.Outcome;
import io.neardup.record.Verdict.Position;
import io.neardup.record.Verdict.Repeated;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The stories that verdicts tell of, all at once and by brute force. The fold shares no code with the service: it reads
 * the JSON of verdicts, and makes that of stories, without {@code revision} and {@code ended}, of which verdicts know
 * nothing. A source is a host with a publisher of two labels, or a name in any case.
 */
public final class VerdictStories {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LOOK = Duration.ofMillis(200);

    private final Map<String, JsonNode> byPlace = new HashMap<>();
    private final String rule;

    /** @param rule first, longest, newest, or source: and names of sources or publishers */
    public VerdictStories(String rule) {
        this.rule = rule;
    }

    /** Of a duplicate, or of a unique document where it repeats nothing; all of one time. */
    public static Verdict verdict(
            Position position,
            String id,
            @Nullable Repeated repeated,
            String settings,
            @Nullable String source,
            int length) {
        Outcome outcome = repeated == null ? Outcome.UNIQUE : Outcome.DUPLICATE;
        return new Verdict(position, 1_000, id, outcome, repeated, null, null, List.of(), settings, source, length);
    }

    public void add(byte[] verdict) {
        JsonNode read = parse(verdict);
        byPlace.put(place(read), read);
    }

    // ---- of a service with the topics of these names

    /** What so many verdicts tell, and no more of them. */
    public static VerdictStories awaitVerdicts(String servers, int count) {
        VerdictStories told = new VerdictStories("first");
        try (Outputs verdicts = new Outputs(servers, List.of("verdicts"), record -> told.add(record.value()))) {
            verdicts.await(count, World.PATIENCE);
            verdicts.drain(LOOK);
            assertThat(verdicts.size()).isEqualTo(count);
        }
        return told;
    }

    /** Waits until the last state of each story is what verdicts tell. No revision is lost or written twice. */
    public void awaitTold(String servers) {
        Map<String, JsonNode> expected = stories();
        Map<String, JsonNode> last = new TreeMap<>();
        Map<String, Long> revisions = new TreeMap<>();
        List<String> wrong = new ArrayList<>();
        try (Outputs stories = new Outputs(servers, List.of("stories"), record -> {
            String place = new String(record.key(), UTF_8);
            long revision = revision(record.value());
            Long before = revisions.put(place, revision);
            if (revision != (before == null ? 1 : before + 1)) {
                wrong.add(place + ": revision " + revision + " after " + before);
            }
            last.put(place, comparable(record.value()));
        })) {
            await("stories").atMost(World.PATIENCE).pollInSameThread().untilAsserted(() -> {
                stories.drain(LOOK);
                assertThat(last).as("%s", wrong).isEqualTo(expected);
            });
            stories.drain(LOOK);
            assertThat(last).isEqualTo(expected);
            assertThat(wrong).isEmpty();
        }
    }

    // ---- the fold

    private static JsonNode parse(byte[] json) {
        try {
            return JSON.readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What a story says that verdicts tell, too. */
    public static JsonNode comparable(byte[] story) {
        ObjectNode read = (ObjectNode) parse(story);
        read.remove(List.of("revision", "ended"));
        return read;
    }

    /** Of a story. */
    public static long revision(byte[] story) {
        return parse(story).get("revision").asLong();
    }

    /** By place. */
    public Map<String, JsonNode> stories() {
        Map<String, List<JsonNode>> copies = new TreeMap<>();
        for (JsonNode verdict : byPlace.values()) {
            if (verdict.path("outcome").asText().equals("duplicate")) {
                copies.computeIfAbsent(verdict.get("duplicateOfPlace").asText(), unused -> new ArrayList<>())
                        .add(verdict);
            }
        }
        Map<String, JsonNode> stories = new TreeMap<>();
        copies.forEach((place, found) -> stories.put(place, story(place, found)));
        return stories;
    }

    private JsonNode story(String place, List<JsonNode> copies) {
        JsonNode original = Objects.requireNonNull(byPlace.get(place), place);
        List<JsonNode> all = new ArrayList<>(copies);
        all.add(original);
        Comparator<JsonNode> inTime = Comparator.comparingLong(
                        (JsonNode each) -> each.get("timestamp").asLong())
                .thenComparing(each -> each.get("topic").asText())
                .thenComparing(each -> each.get("partition").asInt())
                .thenComparing(each -> each.get("offset").asLong());
        all.sort(inTime);
        copies.sort(inTime);
        ObjectNode story = JSON.createObjectNode();
        story.put("story", place);
        story.put("id", original.get("id").asText());
        story.put("first", all.get(0).get("timestamp").asLong());
        story.put("last", all.get(all.size() - 1).get("timestamp").asLong());
        story.put("copies", copies.size());
        story.put(
                "publishers",
                all.stream()
                        .map(VerdictStories::source)
                        .filter(source -> !source.equals("unknown"))
                        .map(VerdictStories::publisher)
                        .distinct()
                        .count());
        story.put("exact", true);
        story.set("sources", sources(original, all));
        story.set("representative", representative(all));
        List<JsonNode> latest = new ArrayList<>(copies.subList(Math.max(0, copies.size() - 10), copies.size()));
        Collections.reverse(latest);
        story.set(
                "latest",
                JSON.valueToTree(
                        latest.stream().map(each -> each.get("id").asText()).toList()));
        List<Double> similarities = copies.stream()
                .map(each -> each.get("similarity").asDouble())
                .sorted()
                .toList();
        BigDecimal median = BigDecimal.valueOf(similarities.get((copies.size() - 1) / 2));
        story.putObject("similarity")
                .put("min", similarities.get(0))
                .put(
                        "median",
                        Math.max(
                                similarities.get(0),
                                median.setScale(2, RoundingMode.FLOOR).doubleValue()));
        return parse(story.toString().getBytes(UTF_8)); // Numbers are of the kinds that a reader makes of them.
    }

    private static JsonNode sources(JsonNode original, List<JsonNode> all) {
        Map<String, ObjectNode> bySource = new HashMap<>();
        for (JsonNode each : all) {
            String source = source(each);
            ObjectNode row = bySource.computeIfAbsent(source, unused -> {
                ObjectNode made = JSON.createObjectNode().put("source", source);
                if (!source.equals("unknown")) {
                    made.put("publisher", publisher(source));
                }
                return made.put("copies", 0).put("first", each.get("timestamp").asLong());
            });
            row.put("copies", row.get("copies").asInt() + (place(each).equals(place(original)) ? 0 : 1));
        }
        List<ObjectNode> sorted = new ArrayList<>(bySource.values());
        sorted.sort(
                Comparator.comparingInt((ObjectNode row) -> -row.get("copies").asInt())
                        .thenComparing(row -> row.get("first").asLong())
                        .thenComparing(row -> row.get("source").asText()));
        return JSON.valueToTree(sorted);
    }

    private JsonNode representative(List<JsonNode> inTime) {
        JsonNode chosen = inTime.get(0);
        String by = rule.startsWith("source:") ? "first" : rule;
        if (rule.equals("newest")) {
            chosen = inTime.get(inTime.size() - 1);
        } else if (rule.equals("longest")) {
            for (JsonNode each : inTime) {
                chosen = each.get("length").asInt() > chosen.get("length").asInt() ? each : chosen;
            }
        } else if (rule.startsWith("source:")) {
            List<String> names = List.of(rule.substring("source:".length()).split(",", -1));
            for (int i = names.size() - 1; i >= 0; i--) {
                for (int j = inTime.size() - 1; j >= 0; j--) {
                    String source = source(inTime.get(j));
                    if (source.equals(names.get(i)) || publisher(source).equals(names.get(i))) {
                        chosen = inTime.get(j);
                        by = "source";
                    }
                }
            }
        }
        return JSON.createObjectNode()
                .put("id", chosen.get("id").asText())
                .put("place", place(chosen))
                .put("source", source(chosen))
                .put("timestamp", chosen.get("timestamp").asLong())
                .put("length", chosen.get("length").asInt())
                .put("rule", by);
    }

    private static String source(JsonNode verdict) {
        return verdict.path("source").asText("unknown");
    }

    private static String publisher(String source) {
        String[] labels = source.split("\\.", -1);
        return labels.length < 2
                ? source.toLowerCase(Locale.ROOT)
                : labels[labels.length - 2] + "." + labels[labels.length - 1];
    }

    private static String place(JsonNode verdict) {
        return verdict.get("topic").asText() + "-" + verdict.get("partition").asInt() + "-"
                + verdict.get("offset").asLong();
    }
}
