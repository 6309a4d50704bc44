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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The table of all settings of the service, in the order of the shipped file. Other keys are Kafka's, and those of
 * {@link #FAMILY_PREFIX} a class's that {@code neardup.signature} names.
 */
public final class Keys {
    static final String PREFIX = "neardup.";
    /** Settings of a family that is named by its class. */
    static final String FAMILY_PREFIX = "neardup.family.";

    private static final @Nullable String NONE = null;
    private static final Map<String, Key<?>> ALL = new LinkedHashMap<>();

    // The service and its topics

    static final Key<String> APPLICATION_ID =
            basic("application.id", SettingType.APPLICATION_ID, "neardup").means("""
            Names the service: the prefix of its internal topics, its consumer group and its state folder.""");

    static final Key<String> BOOTSTRAP_SERVERS =
            basic("bootstrap.servers", SettingType.SERVERS, NONE).means("""
            Where the Kafka cluster is, as host:port,host:port. Needed by run; local brings its own broker.""");

    static final Key<List<String>> INPUT_TOPICS =
            basic("neardup.input.topics", SettingType.TOPICS, "documents").means("""
            The topics that documents arrive on, separated by commas.""");

    static final Key<List<String>> SEED_TOPICS =
            basic("neardup.seed.topics", SettingType.TOPICS, NONE, Mark.JUDGING).means("""
            Topics of documents that are there already, one read after the other before the first document of the
            input, each to its end as it was when the index was made. They become originals and leave on no output.""");

    static final Key<Boolean> SEED_JUDGE = expert(
                    "neardup.seed.judge", SettingType.TRUE_OR_FALSE, "false", Mark.JUDGING)
            .means("""
            Whether documents of seeds are compared with each other, so that of alike ones the first alone becomes an
            original.""");

    static final Key<SeedRetention> SEED_RETENTION = expert(
                    "neardup.seed.retention", SettingType.oneOf(SeedRetention.class), "seeding", Mark.JUDGING)
            .means("""
            What neardup.retention counts from for documents of seeds: their seeding, or the timestamp of their
            record.""");

    static final Key<String> SUCCESSOR_OF = basic(
                    "neardup.successor.of", SettingType.APPLICATION_ID, NONE, Mark.JUDGING)
            .means("""
            The application.id of an index of the same input that this one is made from, and takes over from at a
            cutover. It begins with the originals of that one, and follows it until then.""");

    static final Key<List<Output>> OUTPUTS = basic("neardup.outputs", SettingType.severalOf(Output.class), "records")
            .means("""
            What is written, with commas: records, each to one of the three topics below; verdicts, a small JSON
            object for each record, to the topic of verdicts; stories, an object for each original that was repeated,
            beside one of the former. Who turns stories on or off stops all instances first.""");

    static final Key<String> UNIQUE_TOPIC =
            basic("neardup.unique.topic", SettingType.TOPIC, "unique").means("""
            Where documents go that repeat no earlier one, unchanged.""");

    static final Key<String> DUPLICATES_TOPIC =
            basic("neardup.duplicates.topic", SettingType.TOPIC, "duplicate-of").means("""
            Where near-duplicates go, each with the id of the unique document it repeats.""");

    static final Key<String> DEAD_LETTER_TOPIC =
            basic("neardup.dead-letter.topic", SettingType.TOPIC, "dead-letter").means("""
            Where records go that cannot be processed, each with the reason.""");

    static final Key<DuplicateValue> DUPLICATES_VALUE = expert(
                    "neardup.duplicates.value", SettingType.oneOf(DuplicateValue.class), "record")
            .means("""
            The value on the duplicates topic: the record as it came (the headers name the original) or the verdict as
            a JSON object.""");

    static final Key<String> VERDICTS_TOPIC =
            basic("neardup.verdicts.topic", SettingType.TOPIC, "verdicts").means("""
            Where verdicts go, where they are written. It needs at least as many partitions as the input.""");

    static final Key<String> STORIES_TOPIC =
            basic("neardup.stories.topic", SettingType.TOPIC, "stories").means("""
            Where stories go, where they are written: the latest revision of each, under the place of its original. It
            is compacted.""");

    static final Key<Duration> STORIES_EVERY =
            expert("neardup.stories.every", SettingType.DURATION, "10s").means("""
            How long a story that was written is not written again, whatever copies come; after that its last state
            is.""");

    static final Key<Representative> STORIES_REPRESENTATIVE = basic(
                    "neardup.stories.representative", SettingType.REPRESENTATIVE, "first")
            .means("""
            Which document a story names as its representative: the first, the longest or the newest; or source:a,b,c,
            that of the first of these sources or publishers that carried it, else the first document.""");

    // What a document is

    static final Key<DocumentFormat> DOCUMENT_FORMAT = basic(
                    "neardup.document.format", SettingType.oneOf(DocumentFormat.class), "json", Mark.JUDGING)
            .means("""
            What a record's value is: a json object, the text itself, avro with the id of its schema in a registry, or
            auto, where a first byte 0 or a header with the id of a schema makes it Avro, and all else is JSON.""");

    static final Key<String> REGISTRY_URL =
            basic("neardup.registry.url", SettingType.URL, NONE).means("""
            Where the schema registry is that has the schemas of Avro. Its API is that of Confluent's; Apicurio has it
            at /apis/ccompat/v7. Schemas are only read.""");

    static final Key<Integer> REGISTRY_ID_BYTES =
            expert("neardup.registry.id.bytes", SettingType.FOUR_OR_EIGHT, "4").means("""
            How many bytes the id of a schema has behind the first byte 0 of a value: 4, or 8 as producers of Apicurio 2
            write it unless they are set to 4.""");

    static final Key<String> REGISTRY_CREDENTIALS_FILE =
            basic("neardup.registry.credentials.file", SettingType.FILE, NONE).means("""
            A file of what the registry wants to see: user:password, or Bearer, a space and a token. Read at each
            request, so that it may be renewed.""");

    static final Key<String> REGISTRY_TRUSTSTORE_FILE =
            basic("neardup.registry.truststore.file", SettingType.FILE, NONE).means("""
            A file of certificates in PEM, or a PKCS12 or JKS: which ones of the registry are trusted. Left out, those
            that the JDK trusts. Read at the start.""");

    static final Key<String> REGISTRY_TRUSTSTORE_PASSWORD = basic(
                    "neardup.registry.truststore.password", SettingType.PASSWORD, NONE)
            .means("""
            The password of that file, where it has one.""");

    static final Key<String> DOCUMENT_ID = basic(
                    "neardup.document.id", SettingType.POINTER_OR_HEADER, "/id", Mark.JUDGING)
            .means("""
            JSON pointer to the id, a string or an integer, or header:NAME, the record's last header of that name.
            Where there is none, the record's key is the id, else topic-partition-offset.""");

    static final Key<List<String>> DOCUMENT_TEXT = basic(
                    "neardup.document.text", SettingType.POINTERS, "/text", Mark.JUDGING)
            .means("""
            JSON pointer to the text. Several, separated by commas, are joined in this order; missing ones are
            skipped.""");

    static final Key<Boolean> DOCUMENT_HTML = basic(
                    "neardup.document.html", SettingType.TRUE_OR_FALSE, "false", Mark.BOUND)
            .means("""
            Whether texts are HTML: the main text of each is compared.""");

    static final Key<Integer> DOCUMENT_BYTES_MAX = basic(
                    "neardup.document.bytes.max", SettingType.integer(1, 12_000_000), "1000000", Mark.JUDGING)
            .means("""
            The largest value of a record in bytes; larger ones go to the dead-letter topic. So do those with more
            than 1,000,000 shingles, or than this number where it is greater.""");

    static final Key<String> SCOPE = basic("neardup.scope", SettingType.ONE_POINTER_OR_HEADER, NONE, Mark.BOUND)
            .means("""
            JSON pointer to the scope, a string or an integer, such as a language or a tenant, or header:NAME, the
            record's last header of that name. Documents of different scopes are never compared; those without one are
            a scope of their own.""");

    static final Key<Versions> VERSIONS = basic(
                    "neardup.versions", SettingType.oneOf(Versions.class), "compare", Mark.BOUND)
            .means("""
            A document with the id of an earlier unique one of its input partition: compare judges it as any other,
            replace makes it unique in the place of that one.""");

    static final Key<String> SOURCE =
            basic("neardup.source", SettingType.ONE_POINTER_OR_HEADER, NONE).means("""
            JSON pointer to the source of a document, a string or an integer, such as a URL, a feed or a publisher; or
            header:NAME, the record's last header of that name. Duplicates are counted by source, and verdicts and
            stories name it. Decisions do not depend on it.""");

    static final Key<String> PUBLISHERS =
            basic("neardup.publishers", SettingType.FILE, NONE).means("""
            A file of which sources are one publisher: a line each, the source, a tab and its publisher; comments are
            lines that begin with #. A source may be as documents have it, a host or a registrable domain. Where no
            line has it, URLs and hosts of one registrable domain are one publisher. Read at the start.""");

    // What is compared

    static final Key<SignatureKind> SIGNATURE = basic("neardup.signature", SettingType.SIGNATURE, "minhash", Mark.BOUND)
            .means("""
            What documents are to be similar in: minhash (sets of shingles), simhash (shingles by weight), textprofile
            (frequent words, as Nutch and Solr do), exact (all of the normalized text), exact-bytes (all of the text,
            byte for byte), or the name of a class.""");

    static final Key<String> SHINGLE =
            basic("neardup.shingle", SettingType.SHINGLE, "char:9", Mark.BOUND).means("""
            What is compared: the set of all runs of k characters (char:k), k words (word:k), min to max words
            (word:min..max), or a stop word and the k-1 words after it (stopword:k).""");

    static final Key<LetterCase> LETTER_CASE = basic(
                    "neardup.text.case", SettingType.oneOf(LetterCase.class), "lower", Mark.BOUND)
            .means("""
            What becomes of capital letters before texts are compared: lower makes them small, keep keeps them.""");

    static final Key<String> STOP_WORDS = expert(
                    "neardup.stopwords", SettingType.STOP_WORDS, String.join(",", StopWords.languages()), Mark.BOUND)
            .means("""
            The stop words of stopword:k: languages separated by commas, or the path of a UTF-8 file with one word a
            line. A value with a / or . is a file; comments are lines that begin with #.""");

    static final Key<String> BOILERPLATE =
            basic("neardup.boilerplate", SettingType.FILE, NONE, Mark.BOUND).means("""
            A file of shingles that do not count, as too many unlike documents hold them: tune boilerplate FILE --write
            OUT writes it. For minhash and simhash; made with the same neardup.shingle, text.case and stopwords. A
            document of which fewer than 20 distinct shingles would be left is compared whole.""");

    static final Key<String> SIMHASH_FREQUENCIES = expert(
                    "neardup.simhash.frequencies", SettingType.FILE, NONE, Mark.BOUND)
            .means("""
            A file of document frequencies, which tune weights FILE --write OUT writes: with simhash, a shingle weighs
            the more the rarer it is (tf-idf), for neardup.shingle=word:k. Left out, it weighs how often it occurs
            (tf).""");

    // How similar they must be, and how that is found

    static final Key<Double> THRESHOLD = basic(
                    "neardup.similarity.threshold",
                    SettingType.number("above 0 and up to 1", v -> v > 0 && v <= 1),
                    NONE,
                    Mark.BY_BANDING,
                    Mark.JUDGING)
            .means("""
            The similarity from which on the later document is a duplicate. Left out, that of the signature: 0.7 with
            minhash, 0.9 with simhash. With textprofile, exact and exact-bytes it does not matter.""");

    static final Key<Measure> MEASURE = basic(
                    "neardup.similarity.measure",
                    SettingType.oneOf(Measure.class),
                    "jaccard",
                    Mark.BY_BANDING,
                    Mark.JUDGING)
            .means("""
            The similarity of two sets of shingles, for minhash: jaccard, shared ones over all, or containment, shared
            ones over those of the smaller set, so that excerpts are duplicates too.""");

    static final Key<Verification> VERIFY = expert(
                    "neardup.similarity.verify",
                    SettingType.oneOf(Verification.class),
                    "exact",
                    Mark.BOUND,
                    Mark.JUDGING)
            .means("""
            How candidates are compared: exact, on their shingles, or by the estimate of their signatures, which needs
            less disk.""");

    static final Key<Double> UNRELATED = expert(
                    "neardup.similarity.unrelated",
                    SettingType.number("from 0 to below 1", v -> v >= 0 && v < 1),
                    NONE,
                    Mark.BY_BANDING)
            .means("""
            How similar unrelated documents are; the more, the more rows a band gets. Less than the threshold. Left
            out, that of the signature: 0.02 with minhash, 0.05 with simhash.""");

    static final Key<Double> RECALL = basic(
                    "neardup.recall",
                    SettingType.number("above 0 and below 1", v -> v > 0 && v < 1),
                    "0.99",
                    Mark.BY_BANDING)
            .means("""
            The chance to find a duplicate that is just at the threshold; above it the chance is higher. With
            containment it is that of sets of one size; where one is much smaller, it is lower.""");

    // The index

    static final Key<Long> INDEX_SIZE = basic(
                    "neardup.index.size", SettingType.wideInteger(1, 10_000_000_000L), "10000000", Mark.BY_BANDING)
            .means("""
            How many unique documents are expected; bands and rows are chosen for it.""");

    static final Key<Banding> BANDING =
            expert("neardup.banding", SettingType.BANDING, NONE, Mark.BOUND).means("""
            Bands and rows of the index, such as 26x5, instead of those chosen from threshold, recall and index size.
            Bands x rows is at most 256 with minhash, 1024 with simhash, 1 with textprofile, exact and exact-bytes.""");

    static final Key<Integer> INDEX_PARTITIONS = basic(
                    "neardup.bands.partitions", SettingType.integer(1, 1024), "4", Mark.BOUND)
            .means("""
            Over how many partitions the bands are spread.""");

    static final Key<String> RETENTION = basic("neardup.retention", SettingType.RETENTION, "7d", Mark.JUDGING)
            .means("""
            How long a unique document is remembered after its own timestamp, by the event time of its input partition:
            90m, 36h, 7d, or forever. After that the same text is unique again. With 7d,refreshed that time counts from
            when the unique document was last repeated, exact to 1 % of it.""");

    static final Key<String> HASH_SEED =
            expert("neardup.hash.seed", SettingType.HASH_SEED, NONE, Mark.BOUND).means("""
            Seed of all hashes, for runs that must repeat; or of:ID, where ID is the application.id of an index on the
            same cluster: a new index takes its seed, unseen, and finds what that one finds. Left out, a secret random
            one is made with the index, which keeps outsiders from filling one bucket.""");

    static final Key<Integer> BUCKET_MAX = expert(
                    "neardup.bucket.max", SettingType.integer(1, 1_000_000), "1000", Mark.JUDGING)
            .means("""
            The most documents a bucket takes. A full one refuses more, which are then not found by that band; it is
            counted.""");

    static final Key<Integer> VERIFIED_MAX = expert(
                    "neardup.verified.max", SettingType.integer(1, 10_000), "32", Mark.JUDGING)
            .means("""
            With how many of the candidates that its sketch leaves a document is compared each time that it asks an
            input partition, the likeliest first: with so many unique ones and ones that came before it, and with so
            many undecided ones that came later. Where more are left and none of these is a match, it is marked as
            bounded.""");

    static final Key<Long> ORIGINALS_MEMORY_BYTES = expert(
                    "neardup.originals.memory.bytes", SettingType.wideInteger(1 << 20, 1L << 40), "134217728")
            .means("""
            Memory of an instance outside of the heap, for originals that were read or written lately and for what
            finds them on disk, whatever the number of input partitions.""");

    // What it answers over HTTP

    static final Key<ListenAddress> HTTP_LISTEN =
            basic("neardup.http.listen", SettingType.LISTEN_ADDRESS, NONE).means("""
            Where to answer over HTTP, as host:port; port 0 is any that is free. Left out, nowhere. An address that is
            not loopback needs a token.""");

    static final Key<ListenAddress> HTTP_HEALTH_LISTEN = expert(
                    "neardup.http.health.listen", SettingType.LISTEN_ADDRESS, NONE)
            .means("""
            Where else to answer questions about health, as host:port: with threads of its own and without a token,
            whatever happens at neardup.http.listen.""");

    static final Key<String> HTTP_TOKEN_FILE =
            basic("neardup.http.token.file", SettingType.FILE, NONE).means("""
            A file with the token, 16 to 512 visible ASCII characters, that requests must bring, as in "Authorization:
            Bearer ...". Read at the start. Health needs none.""");

    static final Key<List<String>> HTTP_HOSTS =
            basic("neardup.http.hosts", SettingType.HOSTS, NONE).means("""
            Names, separated by commas, under which clients reach neardup.http.listen and neardup.http.health.listen.
            IP addresses, localhost and the names in these two are taken anyway; requests for other names are
            refused.""");

    static final Key<Boolean> HTTP_TEXTS =
            basic("neardup.http.texts", SettingType.TRUE_OR_FALSE, "false").means("""
            Whether the page shows the latest duplicates word by word beside their originals, to all who may see it.
            While somebody looks, the instance reads the outputs, for which it needs READ.""");

    /** What became of the settings of earlier releases. */
    private static final Map<String, String> GONE = Map.ofEntries(
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

    /** The names of settings of earlier releases. */
    static Collection<String> namesGone() {
        return GONE.keySet();
    }

    /** What to do in place of a setting of an earlier release. */
    static Optional<String> replacement(String name) {
        return Optional.ofNullable(GONE.get(name));
    }

    /** The name that somebody may have meant: the nearest that differs in a third of its characters at most. */
    static Optional<String> nearest(String found, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt((String name) -> editDistance(found, name))
                        .thenComparing(Comparator.naturalOrder()))
                .filter(name -> editDistance(found, name) <= (name.length() - PREFIX.length() + 2) / 3);
    }

    /** Levenshtein's. */
    private static int editDistance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            above[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }

    private static <T> Key<T> basic(String name, SettingType<T> type, @Nullable String defaultValue, Mark... marks) {
        return new Key<>(name, type, defaultValue, "basic", Set.of(marks), "");
    }

    private static <T> Key<T> expert(String name, SettingType<T> type, @Nullable String defaultValue, Mark... marks) {
        return new Key<>(name, type, defaultValue, "expert", Set.of(marks), "");
    }

    /**
     * A setting of the service.
     *
     * @param type what kind of value it takes
     * @param defaultValue as it is written; null where the setting is left out
     * @param rank who needs to know of it: of a basic one everybody, as its value depends on the documents, the cluster
     *     or what the outputs are for; of an expert one who has a reason to leave a default that fits nearly all
     * @param meaning for the shipped file and the chapter on settings
     */
    record Key<T>(
            String name,
            SettingType<T> type,
            @Nullable String defaultValue,
            String rank,
            Set<Mark> marks,
            String meaning) {

        /**
         * The setting with its meaning, which joins the table.
         *
         * @param lines as they fit the source; they are one paragraph
         */
        private Key<T> means(String lines) {
            Key<T> key = new Key<>(name, type, defaultValue, rank, marks, lines.replace('\n', ' '));
            ALL.put(name, key);
            return key;
        }

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

    /** What an index has to do with a setting. */
    enum Mark {
        /** It is bound to the value that it was made with. */
        BOUND,
        /** The setting has its part in the choice of bands and rows, to which an index is bound. */
        BY_BANDING,
        /** Records are judged by it, though it may change in the life of an index. */
        JUDGING
    }
}
