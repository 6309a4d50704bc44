package io.neardup.config;

import static java.util.Map.entry;

import io.neardup.config.NeardupConfig.DocumentFormat;
import io.neardup.config.NeardupConfig.DuplicateValue;
import io.neardup.config.NeardupConfig.Output;
import io.neardup.config.NeardupConfig.SeedRetention;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.StopWords;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of all settings of the service, in the order of the shipped file, config/neardup.properties, which says
 * what each means. Other keys are Kafka's, and those of {@link #FAMILY_PREFIX} a class's that {@code neardup.signature}
 * names.
 */
public final class Keys {
    static final String PREFIX = "neardup.";
    /** Said of a name that no setting has. */
    static final String UNKNOWN = "no such setting; config/neardup.properties has all";

    /** Settings of a family that is named by its class. */
    static final String FAMILY_PREFIX = "neardup.family.";

    private static final @Nullable String NONE = null;
    private static final Map<String, Key<?>> ALL = new LinkedHashMap<>();

    // The service and its topics

    static final Key<String> APPLICATION_ID = basic("application.id", SettingType.APPLICATION_ID, "neardup");
    static final Key<String> BOOTSTRAP_SERVERS = basic("bootstrap.servers", SettingType.SERVERS, NONE);
    static final Key<List<String>> INPUT_TOPICS = basic("neardup.input.topics", SettingType.TOPICS, "documents");
    static final Key<List<String>> SEED_TOPICS = basic("neardup.seed.topics", SettingType.TOPICS, NONE);
    static final Key<Boolean> SEED_JUDGE = expert("neardup.seed.judge", SettingType.TRUE_OR_FALSE, "false");
    static final Key<SeedRetention> SEED_RETENTION =
            expert("neardup.seed.retention", SettingType.oneOf(SeedRetention.class), "seeding", Mark.JUDGING);
    static final Key<String> SUCCESSOR_OF = basic("neardup.successor.of", SettingType.APPLICATION_ID, NONE);
    static final Key<List<Output>> OUTPUTS = basic("neardup.outputs", SettingType.severalOf(Output.class), "records");
    static final Key<String> UNIQUE_TOPIC = basic("neardup.unique.topic", SettingType.TOPIC, "unique");
    static final Key<String> DUPLICATES_TOPIC = basic("neardup.duplicates.topic", SettingType.TOPIC, "duplicate-of");
    static final Key<String> DEAD_LETTER_TOPIC = basic("neardup.dead-letter.topic", SettingType.TOPIC, "dead-letter");
    static final Key<DuplicateValue> DUPLICATES_VALUE =
            expert("neardup.duplicates.value", SettingType.oneOf(DuplicateValue.class), "record");
    static final Key<String> VERDICTS_TOPIC = basic("neardup.verdicts.topic", SettingType.TOPIC, "verdicts");
    static final Key<String> STORIES_TOPIC = basic("neardup.stories.topic", SettingType.TOPIC, "stories");
    static final Key<Duration> STORIES_EVERY = expert("neardup.stories.every", SettingType.DURATION, "10s");
    static final Key<Representative> STORIES_REPRESENTATIVE =
            basic("neardup.stories.representative", SettingType.REPRESENTATIVE, "first");

    // What a document is

    static final Key<DocumentFormat> DOCUMENT_FORMAT =
            basic("neardup.document.format", SettingType.oneOf(DocumentFormat.class), "json", Mark.JUDGING);
    static final Key<String> REGISTRY_URL = basic("neardup.registry.url", SettingType.URL, NONE);
    static final Key<Integer> REGISTRY_ID_BYTES = expert("neardup.registry.id.bytes", SettingType.FOUR_OR_EIGHT, "4");
    static final Key<String> REGISTRY_CREDENTIALS_FILE =
            basic("neardup.registry.credentials.file", SettingType.FILE, NONE);
    static final Key<String> REGISTRY_TRUSTSTORE_FILE =
            basic("neardup.registry.truststore.file", SettingType.FILE, NONE);
    static final Key<String> REGISTRY_TRUSTSTORE_PASSWORD =
            basic("neardup.registry.truststore.password", SettingType.PASSWORD, NONE);
    static final Key<String> DOCUMENT_ID =
            basic("neardup.document.id", SettingType.POINTER_OR_HEADER, "/id", Mark.JUDGING);
    static final Key<List<String>> DOCUMENT_TEXT =
            basic("neardup.document.text", SettingType.POINTERS, "/text", Mark.JUDGING);
    static final Key<Boolean> DOCUMENT_HTML =
            basic("neardup.document.html", SettingType.TRUE_OR_FALSE, "false", Mark.BOUND);
    static final Key<Integer> DOCUMENT_BYTES_MAX =
            basic("neardup.document.bytes.max", SettingType.integer(1, 12_000_000), "1000000", Mark.JUDGING);
    static final Key<String> SCOPE = basic("neardup.scope", SettingType.ONE_POINTER_OR_HEADER, NONE, Mark.BOUND);
    static final Key<Versions> VERSIONS =
            basic("neardup.versions", SettingType.oneOf(Versions.class), "compare", Mark.BOUND);
    static final Key<String> SOURCE = basic("neardup.source", SettingType.ONE_POINTER_OR_HEADER, NONE);
    static final Key<String> PUBLISHERS = basic("neardup.publishers", SettingType.FILE, NONE);

    // What is compared

    static final Key<String> SIGNATURE =
            basic("neardup.signature", SettingType.SIGNATURE, Families.MINHASH, Mark.BOUND);
    static final Key<String> SHINGLE = basic("neardup.shingle", SettingType.SHINGLE, "char:9", Mark.BOUND);
    static final Key<LetterCase> LETTER_CASE =
            basic("neardup.text.case", SettingType.oneOf(LetterCase.class), "lower", Mark.BOUND);
    static final Key<String> STOP_WORDS =
            expert("neardup.stopwords", SettingType.STOP_WORDS, String.join(",", StopWords.languages()), Mark.BOUND);
    static final Key<String> BOILERPLATE = basic("neardup.boilerplate", SettingType.FILE, NONE, Mark.BOUND);
    static final Key<String> SIMHASH_FREQUENCIES =
            expert("neardup.simhash.frequencies", SettingType.FILE, NONE, Mark.BOUND);

    // How similar they must be, and how that is found

    static final Key<Double> THRESHOLD = basic(
            "neardup.similarity.threshold",
            SettingType.number("above 0 and up to 1", v -> v > 0 && v <= 1),
            NONE,
            Mark.BY_BANDING,
            Mark.JUDGING);
    static final Key<Measure> MEASURE = basic(
            "neardup.similarity.measure", SettingType.oneOf(Measure.class), "jaccard", Mark.BY_BANDING, Mark.JUDGING);
    static final Key<Verification> VERIFY = expert(
            "neardup.similarity.verify", SettingType.oneOf(Verification.class), "exact", Mark.BOUND, Mark.JUDGING);
    static final Key<Double> UNRELATED = expert(
            "neardup.similarity.unrelated",
            SettingType.number("from 0 to below 1", v -> v >= 0 && v < 1),
            NONE,
            Mark.BY_BANDING);
    static final Key<Double> RECALL = basic(
            "neardup.recall", SettingType.number("above 0 and below 1", v -> v > 0 && v < 1), "0.99", Mark.BY_BANDING);

    // The index

    static final Key<Long> INDEX_SIZE =
            basic("neardup.index.size", SettingType.wideInteger(1, 2_000_000_000L), "10000000", Mark.BY_BANDING);
    static final Key<Banding> BANDING = expert("neardup.banding", SettingType.BANDING, NONE, Mark.BOUND);
    static final Key<Integer> INDEX_PARTITIONS =
            basic("neardup.bands.partitions", SettingType.integer(1, 1024), "4", Mark.BOUND);
    static final Key<String> RETENTION = basic("neardup.retention", SettingType.RETENTION, "7d", Mark.JUDGING);
    static final Key<String> HASH_SEED = expert("neardup.hash.seed", SettingType.HASH_SEED, NONE, Mark.BOUND);
    static final Key<Integer> BUCKET_MAX =
            expert("neardup.bucket.max", SettingType.integer(1, 1_000_000), "1000", Mark.JUDGING);
    static final Key<Integer> VERIFIED_MAX =
            expert("neardup.verified.max", SettingType.integer(1, 10_000), "32", Mark.JUDGING);
    static final Key<Long> ORIGINALS_MEMORY_BYTES =
            expert("neardup.originals.memory.bytes", SettingType.wideInteger(1 << 20, 1L << 40), "134217728");

    // What it answers over HTTP

    static final Key<ListenAddress> HTTP_LISTEN = basic("neardup.http.listen", SettingType.LISTEN_ADDRESS, NONE);
    static final Key<ListenAddress> HTTP_HEALTH_LISTEN =
            expert("neardup.http.health.listen", SettingType.LISTEN_ADDRESS, NONE);
    static final Key<String> HTTP_TOKEN_FILE = basic("neardup.http.token.file", SettingType.FILE, NONE);
    static final Key<List<String>> HTTP_HOSTS = basic("neardup.http.hosts", SettingType.HOSTS, NONE);
    static final Key<Boolean> HTTP_TEXTS = basic("neardup.http.texts", SettingType.TRUE_OR_FALSE, "false");

    /** Settings of earlier releases, each with what to do in its place. */
    static final Map<String, String> GONE = Map.ofEntries(
            entry("neardup.input.deleted", "give run the option --input-deleted skip instead"),
            entry("neardup.input.removed", "give run the option --input-removed forget instead"),
            entry("neardup.http.source", "give neardup.source instead"),
            entry("neardup.bands", "give neardup.banding, such as 26x5, instead"),
            entry("neardup.rows", "give neardup.banding, such as 26x5, instead"),
            entry("neardup.shingle.common", "give neardup.boilerplate instead"),
            entry(
                    "neardup.shingles.max",
                    "leave it out: it is " + Limits.SHINGLES_MAX
                            + ", or neardup.document.bytes.max where that is more"),
            entry("neardup.retention.refresh", "give neardup.retention, such as 7d,refreshed, instead"),
            entry("neardup.hash.seed.of", "give neardup.hash.seed, such as of:live, instead"),
            entry(
                    "neardup.exact.text",
                    "give neardup.signature=exact-bytes instead of raw, exact instead of normalized"),
            entry("neardup.simhash.bits", "it is 1024 now"),
            entry("neardup.simhash.weights", "weights are tf-idf where neardup.simhash.frequencies is given, else tf"),
            entry("neardup.textprofile.order", "it is nutch now"),
            entry("neardup.textprofile.token.min", "it is 2 now"),
            entry("neardup.textprofile.quantisation", "it is 0.01 now"),
            entry("neardup.candidates.named.max", "it is " + Limits.CANDIDATES_RETURNED_MAX + " now"),
            entry("neardup.candidates.asked.max", "a document asks about all that index partitions return now"),
            entry("neardup.candidates.verified.max", "give neardup.verified.max instead"),
            entry("neardup.candidates.crowd.min", "leave it out: it is 32, or neardup.verified.max where that is less"),
            entry("neardup.pending.max", "it is " + Limits.PENDING_MAX + " now"),
            entry("neardup.pending.bytes.max", "it is " + Limits.PENDING_BYTES_MAX + " now"));

    private Keys() {}

    /** Each setting, in the order of the shipped file. */
    static Collection<Key<?>> all() {
        return Collections.unmodifiableCollection(ALL.values());
    }

    /** The names of all, in that order. */
    static Collection<String> names() {
        return Collections.unmodifiableCollection(ALL.keySet());
    }

    static boolean isKnown(String name) {
        return ALL.containsKey(name);
    }

    private static <T> Key<T> basic(String name, SettingType<T> type, @Nullable String defaultValue, Mark... marks) {
        return added(new Key<>(name, type, defaultValue, "basic", Set.of(marks)));
    }

    private static <T> Key<T> expert(String name, SettingType<T> type, @Nullable String defaultValue, Mark... marks) {
        return added(new Key<>(name, type, defaultValue, "expert", Set.of(marks)));
    }

    private static <T> Key<T> added(Key<T> key) {
        ALL.put(key.name(), key);
        return key;
    }

    /**
     * A setting of the service.
     *
     * @param type what kind of value it takes
     * @param defaultValue as it is written; null where the setting is left out
     * @param rank who needs to know of it: of a basic one everybody, as its value depends on the documents, the cluster
     *     or what the outputs are for; of an expert one who has a reason to leave a default that fits nearly all
     */
    record Key<T>(
            String name, SettingType<T> type, @Nullable String defaultValue, String rank, Set<Mark> marks) {

        /** Whether records are judged by it, though it may change in the life of an index. */
        boolean isJudging() {
            return marks.contains(Mark.JUDGING);
        }

        /** Its rank, and whether an index is bound to it. */
        String facts() {
            if (marks.contains(Mark.BOUND)) {
                return rank + "; an index is bound to it";
            }
            return marks.contains(Mark.BY_BANDING)
                    ? rank + "; an index is bound to it unless neardup.banding is given"
                    : rank;
        }
    }

    enum Mark {
        /** An index keeps the value that it was made with; another one is refused. */
        BOUND,
        /** The setting has its part in the choice of bands and rows, to which an index is bound. */
        BY_BANDING,
        /** Records are judged by it, though it may change in the life of an index. */
        JUDGING
    }
}
