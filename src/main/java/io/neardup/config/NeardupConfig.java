package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.Shingling;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The settings of the service, typed and checked. Their meanings and defaults stand in
 * {@code config/neardup.properties} and in src/docs/settings.md; both are kept equal to the definition by tests.
 * Immutable.
 */
public final class NeardupConfig {
    private final Map<String, Object> values;
    private final Family family;
    private final Shingling shingling;
    private final Map<String, String> kafka;
    private final List<String> warnings;

    private NeardupConfig(SettingsCheck check, Map<String, Object> values, List<String> warnings) {
        this.values = Collections.unmodifiableMap(values);
        this.family = check.family();
        this.shingling = check.shingling();
        this.kafka = Collections.unmodifiableMap(check.kafka());
        this.warnings = List.copyOf(warnings);
    }

    /**
     * Checks the settings, defaults filling what they leave out.
     *
     * @throws ConfigurationException with every problem at once
     */
    public static NeardupConfig of(Settings settings) {
        return of(settings, List.of());
    }

    /**
     * As {@link #of(Settings)}, for a run against a cluster: {@code bootstrap.servers} is needed too.
     *
     * @throws ConfigurationException with every problem at once
     */
    public static NeardupConfig forCluster(Settings settings) {
        return of(settings, List.of(Keys.BOOTSTRAP_SERVERS));
    }

    private static NeardupConfig of(Settings settings, List<String> required) {
        SettingsCheck check = new SettingsCheck(settings);
        Map<String, Object> values = check.values(required);
        if (!check.problems().isEmpty()) {
            throw new ConfigurationException(check.problems());
        }
        return new NeardupConfig(check, values, settings.warnings());
    }

    /** What documents are to be similar in, and how that is found. */
    public Family family() {
        return family;
    }

    /** The kind of the family. */
    public SignatureKind signature() {
        return (SignatureKind) value(Keys.SIGNATURE);
    }

    /** The given bands and rows, or the fewest hashes that reach the targets. */
    public Banding banding() {
        return Bandings.of(values, family);
    }

    /** Prefix of the internal topics, consumer group and name of the state folder. */
    public String applicationId() {
        return text(Keys.APPLICATION_ID);
    }

    /** Where the cluster is; present after {@link #forCluster}. */
    public Optional<String> bootstrapServers() {
        return Optional.ofNullable((String) values.get(Keys.BOOTSTRAP_SERVERS));
    }

    /** One or more different topics. */
    public List<String> inputTopics() {
        return texts(Keys.INPUT_TOPICS);
    }

    /** What is done where records of the input were deleted before they had left. */
    public DeletedInput deletedInput() {
        return (DeletedInput) value(Keys.DELETED_INPUT);
    }

    /** What is done where an input topic was taken out before all that was taken of it had left. */
    public RemovedInput removedInput() {
        return (RemovedInput) value(Keys.REMOVED_INPUT);
    }

    /** Different topics of documents that are there already, in the order in which they are read; mostly none. */
    public List<String> seedTopics() {
        return values.containsKey(Keys.SEED_TOPICS) ? texts(Keys.SEED_TOPICS) : List.of();
    }

    /** Whether documents of seeds are compared with each other. */
    public boolean seedJudge() {
        return (Boolean) value(Keys.SEED_JUDGE);
    }

    /** The application.id of the index that this one takes over from, if it is made from one. */
    public Optional<String> successorOf() {
        return Optional.ofNullable((String) values.get(Keys.SUCCESSOR_OF));
    }

    public SeedRetention seedRetention() {
        return (SeedRetention) value(Keys.SEED_RETENTION);
    }

    public String uniqueTopic() {
        return text(Keys.UNIQUE_TOPIC);
    }

    public String duplicatesTopic() {
        return text(Keys.DUPLICATES_TOPIC);
    }

    public String deadLetterTopic() {
        return text(Keys.DEAD_LETTER_TOPIC);
    }

    public String verdictsTopic() {
        return text(Keys.VERDICTS_TOPIC);
    }

    /** Whether records leave on the topics of their decisions. */
    public boolean writesRecords() {
        return outputs().contains(Output.RECORDS);
    }

    /** Whether a verdict is written of each record. */
    public boolean writesVerdicts() {
        return outputs().contains(Output.VERDICTS);
    }

    /**
     * Refuses settings under which no records are written.
     *
     * @param why who needs them, half a sentence
     * @throws ConfigurationException where there are verdicts alone
     */
    public NeardupConfig requireRecords(String why) {
        if (!writesRecords()) {
            throw new ConfigurationException(
                    List.of(Keys.OUTPUTS + " = verdicts: expected records, or records,verdicts, as " + why));
        }
        return this;
    }

    private List<?> outputs() {
        return (List<?>) value(Keys.OUTPUTS);
    }

    /** All topics that are written to, those of records first. */
    public List<String> outputTopics() {
        return SettingsCheck.outputKeys(values).stream().map(this::text).toList();
    }

    /** Those of them that records leave on: none where there are verdicts alone. */
    public List<String> recordTopics() {
        return outputTopics().stream()
                .filter(topic -> !writesVerdicts() || !topic.equals(verdictsTopic()))
                .toList();
    }

    /** What records are judged by, as 16 hexadecimal digits: equal where all settings that shape decisions are. */
    public String fingerprint() {
        return JudgingSettings.of(this, values).fingerprint();
    }

    public DuplicateValue duplicatesValue() {
        return (DuplicateValue) value(Keys.DUPLICATES_VALUE);
    }

    /** Whether the texts of duplicates are on an output. */
    public boolean keepsTexts() {
        return writesRecords() && duplicatesValue() == DuplicateValue.RECORD;
    }

    public DocumentFormat documentFormat() {
        return (DocumentFormat) value(Keys.DOCUMENT_FORMAT);
    }

    /** Whether texts are HTML. */
    public boolean isHtml() {
        return (Boolean) value(Keys.DOCUMENT_HTML);
    }

    /** JSON pointer (RFC 6901) to the id, never the empty one; or {@code header:} and the name of a header. */
    public String documentId() {
        return text(Keys.DOCUMENT_ID);
    }

    /** One or more different JSON pointers (RFC 6901) to the texts, never the empty one. */
    public List<String> documentText() {
        return texts(Keys.DOCUMENT_TEXT);
    }

    /**
     * JSON pointer (RFC 6901) to the scope, never the empty one; or {@code header:} and the name of a header. Empty
     * where all documents are compared.
     */
    public Optional<String> scope() {
        return Optional.ofNullable((String) values.get(Keys.SCOPE));
    }

    /** The largest value of a record in bytes, at least 1. */
    public int documentBytesMax() {
        return integer(Keys.DOCUMENT_BYTES_MAX);
    }

    /**
     * Normalized texts and their shingles, for the signatures that compare these; stop words of a file as it was then.
     */
    public Shingling shingling() {
        return shingling;
    }

    /** Similarity from which on a document is a duplicate: above 0, at most 1. */
    public double threshold() {
        return (double) value(Keys.THRESHOLD);
    }

    /** How candidates are compared; by signatures that have a choice. */
    public Verification verification() {
        return (Verification) value(Keys.VERIFY);
    }

    /** What the similarity of two sets of shingles is; for minhash. */
    public Measure measure() {
        return (Measure) value(Keys.MEASURE);
    }

    /** Similarity of unrelated documents: from 0 to below the threshold. */
    public double unrelatedSimilarity() {
        return (double) value(Keys.UNRELATED);
    }

    /** Chance to find a duplicate at the threshold: above 0, below 1. */
    public double recall() {
        return (double) value(Keys.RECALL);
    }

    /** Unique documents expected, at least 1. */
    public long indexSize() {
        return (long) value(Keys.INDEX_SIZE);
    }

    /** Partitions that the bands are spread over, 1 to 1024. */
    public int indexPartitions() {
        return integer(Keys.INDEX_PARTITIONS);
    }

    /** How long a unique document is remembered. */
    public Retention retention() {
        return new Retention(RetentionTime.millis(text(Keys.RETENTION)), (boolean) value(Keys.RETENTION_REFRESH));
    }

    /** What a document is that has the id of an earlier original. */
    public Versions versions() {
        return (Versions) value(Keys.VERSIONS);
    }

    /** Empty where a secret random seed is to be made. */
    public OptionalLong hashSeed() {
        Object seed = values.get(Keys.HASH_SEED);
        return seed == null ? OptionalLong.empty() : OptionalLong.of((Long) seed);
    }

    /** The application id of the index whose seed a new one takes. */
    public Optional<String> hashSeedOf() {
        return Optional.ofNullable((String) values.get(Keys.HASH_SEED_OF));
    }

    /** Documents a bucket takes at most. */
    public int bucketMax() {
        return integer(Keys.BUCKET_MAX);
    }

    /** Candidates that an index partition names at most. */
    public int candidatesNamedMax() {
        return integer(Keys.CANDIDATES_NAMED_MAX);
    }

    /** Candidates that a document asks about at most. */
    public int candidatesAskedMax() {
        return integer(Keys.CANDIDATES_ASKED_MAX);
    }

    /** Likely candidates of each input partition that a document is compared with at most. */
    public int candidatesVerifiedMax() {
        return integer(Keys.CANDIDATES_VERIFIED_MAX);
    }

    /** From how many candidates on a document is in a crowd. */
    public int candidatesCrowdMin() {
        return integer(Keys.CANDIDATES_CROWD_MIN);
    }

    /** Documents in flight in an instance at which it stops reading. */
    public int pendingMax() {
        return integer(Keys.PENDING_MAX);
    }

    /** The same bound in bytes of their records. */
    public int pendingBytesMax() {
        return integer(Keys.PENDING_BYTES_MAX);
    }

    /** What all originals on disk share of the memory outside of the heap. */
    public long originalsMemoryBytes() {
        return (long) value(Keys.ORIGINALS_MEMORY_BYTES);
    }

    /** Where to answer over HTTP; empty for nowhere. Present with {@link #httpTokenFile} where it is not loopback. */
    public Optional<ListenAddress> httpListen() {
        return Optional.ofNullable((ListenAddress) values.get(Keys.HTTP_LISTEN));
    }

    /** Where else to answer questions about health. */
    public Optional<ListenAddress> httpHealthListen() {
        return Optional.ofNullable((ListenAddress) values.get(Keys.HTTP_HEALTH_LISTEN));
    }

    /** The file of the token that requests must bring. */
    public Optional<Path> httpTokenFile() {
        return Optional.ofNullable((String) values.get(Keys.HTTP_TOKEN_FILE)).map(Path::of);
    }

    /** Names under which clients may reach it, beside addresses, localhost and where it listens. */
    public List<String> httpHosts() {
        return values.containsKey(Keys.HTTP_HOSTS) ? texts(Keys.HTTP_HOSTS) : List.of();
    }

    /** JSON pointer (RFC 6901) to the source of a document, never the empty one; empty where it does not matter. */
    public Optional<String> httpSource() {
        return Optional.ofNullable((String) values.get(Keys.HTTP_SOURCE));
    }

    /** Whether texts of duplicates are shown to those who may see the page. */
    public boolean httpTexts() {
        return (boolean) value(Keys.HTTP_TEXTS);
    }

    /**
     * What goes to Kafka Streams as it is: every key that is not ours, with {@code application.id} and, if given,
     * {@code bootstrap.servers}. May hold secrets.
     */
    public Map<String, String> kafka() {
        return kafka;
    }

    /** What was ignored, one line each, for the log. */
    public List<String> warnings() {
        return warnings;
    }

    /** One line a setting, sorted by key; secrets are hidden. */
    @Override
    public String toString() {
        Map<String, String> shown = new TreeMap<>(kafka);
        values.forEach((key, value) -> shown.put(key, Expected.written(value)));
        shown.replaceAll(Secrets::masked);
        StringBuilder lines = new StringBuilder();
        shown.forEach((key, value) -> lines.append(key + " = " + value + '\n'));
        return lines.toString();
    }

    private Object value(String key) {
        return Objects.requireNonNull(values.get(key), key);
    }

    private String text(String key) {
        return (String) value(key);
    }

    private List<String> texts(String key) {
        return ((List<?>) value(key)).stream().map(String::valueOf).toList();
    }

    private int integer(String key) {
        return (int) value(key);
    }
}
