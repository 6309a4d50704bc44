package io.neardup.config;

import io.neardup.config.SettingsCheck.Checked;
import io.neardup.engine.lsh.Banding;
import io.neardup.engine.protocol.CoordinatorRules.Retention;
import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.Shingling;
import io.neardup.record.AvroValues;
import io.neardup.record.DocumentReader;
import io.neardup.record.JsonDocumentReader;
import io.neardup.record.Pointers;
import io.neardup.record.Publishers;
import io.neardup.record.SourcePointer;
import io.neardup.record.TextDocumentReader;
import io.neardup.record.TextKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * The settings of the service, typed and checked. What each means, and which values it takes, stands in the table of
 * {@link Keys}. Immutable. No record: whoever made one could pass the checks by, and print secrets.
 */
public final class NeardupConfig {
    private static final String FOREVER = "forever";
    private static final String REFRESHED = ",refreshed";

    public enum DocumentFormat {
        JSON,
        TEXT,
        AVRO,
        /** Avro and JSON side by side. */
        AUTO
    }

    enum Output {
        RECORDS,
        VERDICTS,
        STORIES
    }

    public enum DuplicateValue {
        RECORD,
        VERDICT
    }

    public enum SeedRetention {
        SEEDING,
        RECORD
    }

    private final Checked checked;
    private final SettingValues values;
    private final boolean skipsDeletedInput;
    private final boolean forgetsRemovedInput;

    private NeardupConfig(Checked checked, boolean skipsDeletedInput, boolean forgetsRemovedInput) {
        this.checked = checked;
        this.values = checked.values();
        this.skipsDeletedInput = skipsDeletedInput;
        this.forgetsRemovedInput = forgetsRemovedInput;
    }

    /**
     * Checks the settings, defaults filling what they leave out.
     *
     * @throws ConfigurationException with every problem at once
     */
    public static NeardupConfig of(Settings settings) {
        return new NeardupConfig(SettingsCheck.of(settings, false), false, false);
    }

    /**
     * As {@link #of(Settings)}, for a run against a cluster: {@code bootstrap.servers} is needed too.
     *
     * @throws ConfigurationException with every problem at once
     */
    public static NeardupConfig forCluster(Settings settings) {
        return new NeardupConfig(SettingsCheck.of(settings, true), false, false);
    }

    /** A copy that skips deleted input. */
    public NeardupConfig skippingDeletedInput() {
        return new NeardupConfig(checked, true, forgetsRemovedInput);
    }

    /** A copy that forgets removed input. */
    public NeardupConfig forgettingRemovedInput() {
        return new NeardupConfig(checked, skipsDeletedInput, true);
    }

    /** Whether a start goes on where records of the input were deleted before they had left. */
    public boolean skipsDeletedInput() {
        return skipsDeletedInput;
    }

    /**
     * Whether a start goes on where an input topic was taken out of the settings before all that was taken of it had
     * left: what has not is forgotten.
     */
    public boolean forgetsRemovedInput() {
        return forgetsRemovedInput;
    }

    public Family family() {
        return checked.family();
    }

    /** Normalized texts and their shingles, for the signatures that compare these; stop words of a file as it was. */
    public Shingling shingling() {
        return checked.shingling();
    }

    /**
     * What goes to Kafka Streams as it is: every key that is not ours, with {@code application.id} and, if given,
     * {@code bootstrap.servers}. May hold secrets.
     */
    public Map<String, String> kafka() {
        return checked.kafka();
    }

    /** What was ignored, one line each, for the log. */
    public List<String> warnings() {
        return checked.warnings();
    }

    /** The signature: one that the service brings, such as {@code minhash}, or the name of a class. */
    public String signature() {
        return values.get(Keys.SIGNATURE);
    }

    /** Whether the signature is made of shingles. */
    public boolean comparesShingles() {
        return Families.OF_SHINGLES.contains(signature());
    }

    /** Whether similarities are the Jaccard similarity of shingles. */
    public boolean comparesByJaccard() {
        return signature().equals(Families.MINHASH) && measure() == Measure.JACCARD;
    }

    /** The given bands and rows, or the fewest hashes that reach the targets. */
    public Banding banding() {
        return Families.banding(values, family());
    }

    public String applicationId() {
        return values.get(Keys.APPLICATION_ID);
    }

    /** Where the cluster is; present after {@link #forCluster}. */
    public Optional<String> bootstrapServers() {
        return values.find(Keys.BOOTSTRAP_SERVERS);
    }

    /** One or more different topics. */
    public List<String> inputTopics() {
        return values.get(Keys.INPUT_TOPICS);
    }

    /** Different topics of documents that are there already, in the order in which they are read; mostly none. */
    public List<String> seedTopics() {
        return values.find(Keys.SEED_TOPICS).orElse(List.of());
    }

    public boolean seedJudge() {
        return values.get(Keys.SEED_JUDGE);
    }

    public SeedRetention seedRetention() {
        return values.get(Keys.SEED_RETENTION);
    }

    /** The application.id of the index that this one takes over from, if it is made from one. */
    public Optional<String> successorOf() {
        return values.find(Keys.SUCCESSOR_OF);
    }

    public String uniqueTopic() {
        return values.get(Keys.UNIQUE_TOPIC);
    }

    public String duplicatesTopic() {
        return values.get(Keys.DUPLICATES_TOPIC);
    }

    public String deadLetterTopic() {
        return values.get(Keys.DEAD_LETTER_TOPIC);
    }

    public String verdictsTopic() {
        return values.get(Keys.VERDICTS_TOPIC);
    }

    public boolean writesRecords() {
        return values.get(Keys.OUTPUTS).contains(Output.RECORDS);
    }

    public boolean writesVerdicts() {
        return values.get(Keys.OUTPUTS).contains(Output.VERDICTS);
    }

    /** Whether originals are folded with what repeats them; never alone, as records or verdicts are written too. */
    public boolean writesStories() {
        return values.get(Keys.OUTPUTS).contains(Output.STORIES);
    }

    public String storiesTopic() {
        return values.get(Keys.STORIES_TOPIC);
    }

    /** A story is written once in this time at the most; at least a second. */
    public Duration storiesEvery() {
        return values.get(Keys.STORIES_EVERY);
    }

    public Representative representative() {
        return values.get(Keys.STORIES_REPRESENTATIVE);
    }

    /**
     * Refuses settings under which no records are written.
     *
     * @param why who needs them, half a sentence
     * @throws ConfigurationException where there are verdicts without records
     */
    public NeardupConfig requireRecords(String why) {
        if (!writesRecords()) {
            String problem = " = " + SettingType.written(values.get(Keys.OUTPUTS))
                    + ": expected records, with or without verdicts and stories, as " + why;
            throw new ConfigurationException(List.of(Keys.OUTPUTS.name() + problem));
        }
        return this;
    }

    /** All topics that are written to, those of records first. */
    public List<String> outputTopics() {
        return SettingsCheck.outputKeys(values).stream().map(values::get).toList();
    }

    /** Those of them that records leave on: none where there are verdicts alone. */
    public List<String> recordTopics() {
        return writesRecords()
                ? SettingsCheck.RECORD_KEYS.stream().map(values::get).toList()
                : List.of();
    }

    /** What records are judged by, as 16 hexadecimal digits: equal where all settings that shape decisions are. */
    public String fingerprint() {
        return IndexSettings.fingerprint(this, values);
    }

    public DuplicateValue duplicatesValue() {
        return values.get(Keys.DUPLICATES_VALUE);
    }

    /** Whether an original is kept with its text. */
    public boolean keepsOriginalTexts() {
        return comparesShingles() && verification() == Verification.EXACT;
    }

    /** Whether the texts of duplicates are on an output. */
    public boolean writesDuplicateTexts() {
        return writesRecords() && duplicatesValue() == DuplicateValue.RECORD;
    }

    public DocumentFormat documentFormat() {
        return values.get(Keys.DOCUMENT_FORMAT);
    }

    public boolean isHtml() {
        return values.get(Keys.DOCUMENT_HTML);
    }

    /** Where in a document id, texts and scope are. */
    public Pointers pointers() {
        return new Pointers(values.get(Keys.DOCUMENT_ID), values.get(Keys.DOCUMENT_TEXT), scope().orElse(null));
    }

    /** How values in Avro are read, and whether their schemas are there; empty where none are Avro. */
    public Optional<AvroValues> avro() {
        return checked.avro();
    }

    /** Makes readers of what the family compares, each for one thread. */
    public Supplier<DocumentReader> documentReaders() {
        return documentReaders(avro());
    }

    /**
     * As {@link #documentReaders}, of documents that are not from a topic, but of a file or a question: where those of
     * the topic are Avro, these are JSON with the same fields.
     */
    public Supplier<DocumentReader> writtenDocumentReaders() {
        return documentReaders(Optional.empty());
    }

    private Supplier<DocumentReader> documentReaders(Optional<AvroValues> ofAvro) {
        Pointers pointers = pointers();
        int bytesMax = documentBytesMax();
        TextKind ofText = isHtml() ? TextKind.HTML : TextKind.STRING;
        TextKind textKind = family().material() == Family.Material.NUMBERS ? TextKind.NUMBERS : ofText;
        if (documentFormat() == DocumentFormat.TEXT) {
            return () -> new TextDocumentReader(pointers, textKind, bytesMax);
        }
        Supplier<DocumentReader> json = () -> new JsonDocumentReader(pointers, textKind, bytesMax);
        return ofAvro.<Supplier<DocumentReader>>map(
                        values -> () -> values.reader(json.get(), pointers, textKind, bytesMax))
                .orElse(json);
    }

    /**
     * JSON pointer (RFC 6901) to the scope, never the empty one; or {@code header:} and the name of a header. Empty
     * where all documents are compared.
     */
    public Optional<String> scope() {
        return values.find(Keys.SCOPE);
    }

    /** Where a document names its source; empty where nobody asks for it. Safe for use by several threads. */
    public Optional<SourcePointer> source() {
        return values.find(Keys.SOURCE).map(place -> new SourcePointer(place, avro().orElse(null)));
    }

    /** Which publisher a source is of, by the file as it was at the start. */
    public Publishers publishers() {
        return checked.publishers();
    }

    /** The largest value of a record in bytes, at least 1. */
    public int documentBytesMax() {
        return values.get(Keys.DOCUMENT_BYTES_MAX);
    }

    /** Similarity from which on a document is a duplicate: above 0, at most 1. */
    public double threshold() {
        return values.get(Keys.THRESHOLD);
    }

    public Verification verification() {
        return values.get(Keys.VERIFY);
    }

    public Measure measure() {
        return values.get(Keys.MEASURE);
    }

    public double unrelatedSimilarity() {
        return values.get(Keys.UNRELATED);
    }

    public double recall() {
        return values.get(Keys.RECALL);
    }

    public long indexSize() {
        return values.get(Keys.INDEX_SIZE);
    }

    public int indexPartitions() {
        return values.get(Keys.INDEX_PARTITIONS);
    }

    public Retention retention() {
        String written = values.get(Keys.RETENTION);
        String time = written.replace(REFRESHED, "");
        long millis = time.equals(FOREVER)
                ? Long.MAX_VALUE
                : SettingType.duration(time).toMillis();
        return new Retention(millis, written.endsWith(REFRESHED));
    }

    public Versions versions() {
        return values.get(Keys.VERSIONS);
    }

    /** The seed where it is given: empty where that of another index is taken, or a secret random one is to be made. */
    public OptionalLong hashSeed() {
        return values.find(Keys.HASH_SEED).filter(seed -> !isOfIndex(seed)).stream()
                .mapToLong(Long::parseLong)
                .findFirst();
    }

    public Optional<String> hashSeedOf() {
        return values.find(Keys.HASH_SEED)
                .filter(NeardupConfig::isOfIndex)
                .map(seed -> seed.substring(SettingType.SEED_OF.length()));
    }

    private static boolean isOfIndex(String seed) {
        return seed.startsWith(SettingType.SEED_OF);
    }

    public int bucketMax() {
        return values.get(Keys.BUCKET_MAX);
    }

    /** With how many likely candidates a document is compared in each input partition. */
    public int verifiedMax() {
        return values.get(Keys.VERIFIED_MAX);
    }

    public long originalsMemoryBytes() {
        return values.get(Keys.ORIGINALS_MEMORY_BYTES);
    }

    /** Where to answer over HTTP; empty for nowhere. Present with {@link #httpTokenFile} where it is not loopback. */
    public Optional<ListenAddress> httpListen() {
        return values.find(Keys.HTTP_LISTEN);
    }

    /** Where else to answer questions about health. */
    public Optional<ListenAddress> httpHealthListen() {
        return values.find(Keys.HTTP_HEALTH_LISTEN);
    }

    public Optional<Path> httpTokenFile() {
        return values.find(Keys.HTTP_TOKEN_FILE).map(Path::of);
    }

    /** Names under which clients may reach it, beside addresses, localhost and where it listens. */
    public List<String> httpHosts() {
        return values.find(Keys.HTTP_HOSTS).orElse(List.of());
    }

    public boolean httpTexts() {
        return values.get(Keys.HTTP_TEXTS);
    }
}
