package io.neardup.config;

import io.neardup.engine.protocol.CoordinatorRules.Versions;
import io.neardup.engine.similarity.ExactFamily;
import io.neardup.engine.similarity.Measure;
import io.neardup.engine.similarity.TermWeights;
import io.neardup.engine.similarity.TextProfile;
import io.neardup.engine.similarity.Verification;
import io.neardup.engine.text.LetterCase;
import io.neardup.engine.text.StopWords;
import java.util.Optional;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.jspecify.annotations.Nullable;

/** Every setting of the service: its type, default, limits and meaning. Other keys are Kafka's. */
final class Keys {
    static final String PREFIX = "neardup.";
    /** Settings of a family that is named by its class. */
    static final String FAMILY_PREFIX = "neardup.family.";

    static final String APPLICATION_ID = "application.id";
    static final String BOOTSTRAP_SERVERS = "bootstrap.servers";
    static final String INPUT_TOPICS = "neardup.input.topics";
    static final String DELETED_INPUT = "neardup.input.deleted";
    static final String REMOVED_INPUT = "neardup.input.removed";
    static final String SEED_TOPICS = "neardup.seed.topics";
    static final String SEED_JUDGE = "neardup.seed.judge";
    static final String SEED_RETENTION = "neardup.seed.retention";
    static final String SUCCESSOR_OF = "neardup.successor.of";
    static final String UNIQUE_TOPIC = "neardup.unique.topic";
    static final String DUPLICATES_TOPIC = "neardup.duplicates.topic";
    static final String DEAD_LETTER_TOPIC = "neardup.dead-letter.topic";
    static final String DOCUMENT_FORMAT = "neardup.document.format";
    static final String DOCUMENT_ID = "neardup.document.id";
    static final String DOCUMENT_TEXT = "neardup.document.text";
    static final String DOCUMENT_HTML = "neardup.document.html";
    static final String DOCUMENT_BYTES_MAX = "neardup.document.bytes.max";
    static final String LETTER_CASE = "neardup.text.case";
    static final String SIGNATURE = "neardup.signature";
    static final String SHINGLE = "neardup.shingle";
    static final String SHINGLES_MAX = "neardup.shingles.max";
    static final String COMMON = "neardup.shingle.common";
    static final String STOP_WORDS = "neardup.stopwords";
    static final String THRESHOLD = "neardup.similarity.threshold";
    static final String MEASURE = "neardup.similarity.measure";
    static final String VERIFY = "neardup.similarity.verify";
    static final String UNRELATED = "neardup.similarity.unrelated";
    static final String SIMHASH_BITS = "neardup.simhash.bits";
    static final String SIMHASH_WEIGHTS = "neardup.simhash.weights";
    static final String SIMHASH_FREQUENCIES = "neardup.simhash.frequencies";
    static final String TEXTPROFILE_ORDER = "neardup.textprofile.order";
    static final String TEXTPROFILE_TOKEN_MIN = "neardup.textprofile.token.min";
    static final String TEXTPROFILE_QUANTISATION = "neardup.textprofile.quantisation";
    static final String EXACT_TEXT = "neardup.exact.text";
    static final String RECALL = "neardup.recall";
    static final String INDEX_SIZE = "neardup.index.size";
    static final String BANDS = "neardup.bands";
    static final String ROWS = "neardup.rows";
    static final String INDEX_PARTITIONS = "neardup.bands.partitions";
    static final String RETENTION = "neardup.retention";
    static final String RETENTION_REFRESH = "neardup.retention.refresh";
    static final String VERSIONS = "neardup.versions";
    static final String SCOPE = "neardup.scope";
    static final String HASH_SEED = "neardup.hash.seed";
    static final String HASH_SEED_OF = "neardup.hash.seed.of";
    static final String OUTPUTS = "neardup.outputs";
    static final String VERDICTS_TOPIC = "neardup.verdicts.topic";
    static final String DUPLICATES_VALUE = "neardup.duplicates.value";
    static final String BUCKET_MAX = "neardup.bucket.max";
    static final String CANDIDATES_NAMED_MAX = "neardup.candidates.named.max";
    static final String CANDIDATES_ASKED_MAX = "neardup.candidates.asked.max";
    static final String CANDIDATES_VERIFIED_MAX = "neardup.candidates.verified.max";
    static final String CANDIDATES_CROWD_MIN = "neardup.candidates.crowd.min";
    static final String PENDING_MAX = "neardup.pending.max";
    static final String PENDING_BYTES_MAX = "neardup.pending.bytes.max";
    static final String ORIGINALS_MEMORY_BYTES = "neardup.originals.memory.bytes";
    static final String HTTP_LISTEN = "neardup.http.listen";
    static final String HTTP_HEALTH_LISTEN = "neardup.http.health.listen";
    static final String HTTP_TOKEN_FILE = "neardup.http.token.file";
    static final String HTTP_HOSTS = "neardup.http.hosts";
    static final String HTTP_SOURCE = "neardup.http.source";
    static final String HTTP_TEXTS = "neardup.http.texts";

    /** The most values of any signature; a family may have fewer. */
    private static final int HASHES_MAX = 1024;

    private static final @Nullable Object NONE = null;

    private Keys() {}

    static ConfigDef definition() {
        ConfigDef keys = new ConfigDef();
        topics(keys);
        documents(keys);
        similarity(keys);
        signatures(keys);
        index(keys);
        limits(keys);
        http(keys);
        return keys;
    }

    /** The key of a setting of ours, by its name without the prefix. */
    static Optional<String> own(String name) {
        return Optional.of(PREFIX + name).filter(definition().names()::contains);
    }

    private static void seeds(ConfigDef keys) {
        define(
                keys,
                SEED_TOPICS,
                ConfigDef.Type.LIST,
                NONE,
                Expected.topics(),
                "Topics of documents that are there already, one read after the other before the first document of the"
                        + " input, each to its end as it was when the index was made. They become originals and leave"
                        + " on no output.");
        define(
                keys,
                SEED_JUDGE,
                ConfigDef.Type.BOOLEAN,
                false,
                Expected.trueOrFalse(),
                "Whether documents of seeds are compared with each other, so that of alike ones the first alone becomes"
                        + " an original.");
        define(
                keys,
                SEED_RETENTION,
                ConfigDef.Type.STRING,
                "seeding",
                Expected.oneOf(SeedRetention.class),
                "What neardup.retention counts from for documents of seeds: their seeding, or the timestamp of their"
                        + " record.");
        define(
                keys,
                SUCCESSOR_OF,
                ConfigDef.Type.STRING,
                NONE,
                Expected.applicationId(),
                "The application.id of an index of the same input that this one is made from, and takes over from at a"
                        + " cutover. It begins with the originals of that one, and follows it until then.");
    }

    private static void topics(ConfigDef keys) {
        define(
                keys,
                APPLICATION_ID,
                ConfigDef.Type.STRING,
                "neardup",
                Expected.applicationId(),
                "Names the service: the prefix of its internal topics, its consumer group and its state folder.");
        define(
                keys,
                BOOTSTRAP_SERVERS,
                ConfigDef.Type.STRING,
                NONE,
                Expected.servers(),
                "Where the Kafka cluster is, as host:port,host:port. Needed by run; local brings its own broker.");
        define(
                keys,
                INPUT_TOPICS,
                ConfigDef.Type.LIST,
                "documents",
                Expected.topics(),
                "The topics that documents arrive on, separated by commas.");
        define(
                keys,
                DELETED_INPUT,
                ConfigDef.Type.STRING,
                "stop",
                Expected.oneOf(DeletedInput.class),
                "Where records of the input were deleted before they had left, or an input topic was made again: stop,"
                        + " or skip what is gone and go on with what is there.");
        define(
                keys,
                REMOVED_INPUT,
                ConfigDef.Type.STRING,
                "stop",
                Expected.oneOf(RemovedInput.class),
                "Where a topic was taken out of neardup.input.topics while documents of it had not left: stop, or"
                        + " forget these, so that no later document repeats them.");
        seeds(keys);
        define(
                keys,
                UNIQUE_TOPIC,
                ConfigDef.Type.STRING,
                "unique",
                Expected.topic(),
                "Where documents go that repeat no earlier one, unchanged.");
        define(
                keys,
                DUPLICATES_TOPIC,
                ConfigDef.Type.STRING,
                "duplicate-of",
                Expected.topic(),
                "Where near-duplicates go, each with the id of the unique document it repeats.");
        define(
                keys,
                DEAD_LETTER_TOPIC,
                ConfigDef.Type.STRING,
                "dead-letter",
                Expected.topic(),
                "Where records go that cannot be processed, each with the reason.");
        define(
                keys,
                DUPLICATES_VALUE,
                ConfigDef.Type.STRING,
                "record",
                Expected.oneOf(DuplicateValue.class),
                "The value on the duplicates topic: the record as it came (the headers name the original) or the"
                        + " verdict as a JSON object.");
        define(
                keys,
                OUTPUTS,
                ConfigDef.Type.LIST,
                "records",
                Expected.outputs(),
                "What is written: records, each to one of the three topics above; verdicts, a small JSON object for"
                        + " each record, to the topic below; or both, with a comma.");
        define(
                keys,
                VERDICTS_TOPIC,
                ConfigDef.Type.STRING,
                "verdicts",
                Expected.topic(),
                "Where verdicts go, where they are written. It needs at least as many partitions as the input.");
    }

    private static void documents(ConfigDef keys) {
        define(
                keys,
                DOCUMENT_FORMAT,
                ConfigDef.Type.STRING,
                "json",
                Expected.oneOf(DocumentFormat.class),
                "What a record's value is: a json object, or the text itself.");
        define(
                keys,
                DOCUMENT_ID,
                ConfigDef.Type.STRING,
                "/id",
                Expected.pointerOrHeader(),
                "JSON pointer to the id, a string or an integer, or header:NAME, the record's last header of that name."
                        + " Where there is none, the record's key is the id, else topic-partition-offset.");
        define(
                keys,
                DOCUMENT_TEXT,
                ConfigDef.Type.LIST,
                "/text",
                Expected.pointers(),
                "JSON pointer to the text. Several, separated by commas, are joined in this order; missing ones are"
                        + " skipped.");
        define(
                keys,
                DOCUMENT_HTML,
                ConfigDef.Type.BOOLEAN,
                false,
                Expected.trueOrFalse(),
                "Whether texts are HTML: the main text of each is compared. An index is bound to it.");
        define(
                keys,
                SCOPE,
                ConfigDef.Type.STRING,
                NONE,
                Expected.onePointerOrHeader(),
                "JSON pointer to the scope, a string or an integer, such as a language or a tenant, or header:NAME, the"
                        + " record's last header of that name. Documents of"
                        + " different scopes are never compared; those without one are a scope of their own. An index"
                        + " is bound to it.");
        define(
                keys,
                DOCUMENT_BYTES_MAX,
                ConfigDef.Type.INT,
                1_000_000,
                Expected.from(1, 12_000_000),
                "The largest value of a record in bytes; larger ones go to the dead-letter topic.");
    }

    private static void similarity(ConfigDef keys) {
        define(
                keys,
                LETTER_CASE,
                ConfigDef.Type.STRING,
                "lower",
                Expected.oneOf(LetterCase.class),
                "What becomes of capital letters before texts are compared: lower makes them small, keep keeps them.");
        define(
                keys,
                SIGNATURE,
                ConfigDef.Type.STRING,
                "minhash",
                Expected.signature(),
                "What documents are to be similar in: minhash (sets of shingles), simhash (shingles by weight),"
                        + " textprofile (frequent words, as Nutch and Solr do), exact (all of the text), or the name"
                        + " of a class.");
        define(
                keys,
                SHINGLE,
                ConfigDef.Type.STRING,
                "char:9",
                Expected.shingle(),
                "What is compared: the set of all runs of k characters (char:k), k words (word:k), min to max words"
                        + " (word:min..max), or a stop word and the k-1 words after it (stopword:k).");
        define(
                keys,
                SHINGLES_MAX,
                ConfigDef.Type.INT,
                1_000_000,
                Expected.from(1, Integer.MAX_VALUE),
                "The most shingles of a document, repeats included; one with more goes to the dead-letter topic"
                        + " (too-large).");
        define(
                keys,
                COMMON,
                ConfigDef.Type.STRING,
                NONE,
                Expected.file(),
                "A file of shingles that do not count, as too many unlike documents hold them: tune FILE --common OUT"
                        + " writes it. For minhash and simhash; made with the same neardup.shingle, text.case and"
                        + " stopwords. A document of which fewer than 20 distinct shingles would be left is compared"
                        + " whole.");
        define(
                keys,
                STOP_WORDS,
                ConfigDef.Type.STRING,
                String.join(",", StopWords.languages()),
                Expected.stopWords(),
                "The stop words of stopword:k: languages separated by commas, or the path of a UTF-8 file with one"
                        + " word a line. A value with a / or . is a file; comments are lines that begin with #.");
        define(
                keys,
                THRESHOLD,
                ConfigDef.Type.DOUBLE,
                NONE,
                Expected.fraction("a number above 0 and up to 1", value -> value > 0 && value <= 1),
                "The similarity from which on the later document is a duplicate. Left out, that of the signature: 0.7"
                        + " with minhash, 0.9 with simhash. With textprofile and exact it does not matter.");
        define(
                keys,
                MEASURE,
                ConfigDef.Type.STRING,
                "jaccard",
                Expected.oneOf(Measure.class),
                "The similarity of two sets of shingles, for minhash: jaccard, shared ones over all, or containment,"
                        + " shared ones over those of the smaller set, so that excerpts are duplicates too.");
        define(
                keys,
                VERIFY,
                ConfigDef.Type.STRING,
                "exact",
                Expected.oneOf(Verification.class),
                "How candidates are compared: exact, on their shingles, or by the estimate of their signatures, which"
                        + " needs less disk.");
        define(
                keys,
                UNRELATED,
                ConfigDef.Type.DOUBLE,
                NONE,
                Expected.fraction("a number from 0 to below 1", value -> value >= 0 && value < 1),
                "How similar unrelated documents are; the more, the more rows a band gets. Less than the threshold."
                        + " Left out, that of the signature: 0.02 with minhash, 0.05 with simhash.");
        define(
                keys,
                RECALL,
                ConfigDef.Type.DOUBLE,
                0.99,
                Expected.fraction("a number above 0 and below 1", value -> value > 0 && value < 1),
                "The chance to find a duplicate that is just at the threshold; above it the chance is higher. With"
                        + " containment it is that of sets of one size; where one is much smaller, it is"
                        + " lower.");
    }

    private static void signatures(ConfigDef keys) {
        define(
                keys,
                SIMHASH_BITS,
                ConfigDef.Type.INT,
                1024,
                new Expected("a multiple of 64 from 64 to 1024", value -> isSimHashSize((Integer) value)),
                "Bits of a simhash signature: the most that bands x rows can be. More cost time and find more"
                        + " precisely.");
        define(
                keys,
                SIMHASH_WEIGHTS,
                ConfigDef.Type.STRING,
                "tf",
                Expected.oneOf(TermWeights.class),
                "What a shingle weighs with simhash: tf, how often it occurs, or tf-idf, more where it is rare, which"
                        + " needs a file of frequencies and neardup.shingle=word:k.");
        define(
                keys,
                SIMHASH_FREQUENCIES,
                ConfigDef.Type.STRING,
                NONE,
                Expected.file(),
                "File of document frequencies for tf-idf; the command tune --frequencies makes it. An index is bound"
                        + " to it.");
        define(
                keys,
                TEXTPROFILE_ORDER,
                ConfigDef.Type.STRING,
                "nutch",
                Expected.oneOf(TextProfile.Order.class),
                "Order of words of equal frequency with textprofile: nutch sorts them, solr leaves them in the order"
                        + " of a hash table, which other words of the text may change.");
        define(
                keys,
                TEXTPROFILE_TOKEN_MIN,
                ConfigDef.Type.INT,
                2,
                Expected.from(0, 1000),
                "Words of at most so many characters are left out with textprofile.");
        define(
                keys,
                TEXTPROFILE_QUANTISATION,
                ConfigDef.Type.DOUBLE,
                0.01,
                Expected.fraction("a number from 0 to 1", value -> value >= 0 && value <= 1),
                "With textprofile, counts of words are rounded down to multiples of this share of the highest count, at"
                        + " least of 2 where a word is repeated.");
        define(
                keys,
                EXACT_TEXT,
                ConfigDef.Type.STRING,
                "normalized",
                Expected.oneOf(ExactFamily.Form.class),
                "What must be the same with exact: the raw text, byte for byte, or its normalized form.");
    }

    private static boolean isSimHashSize(int bits) {
        return bits >= Long.SIZE && bits <= HASHES_MAX && bits % Long.SIZE == 0;
    }

    private static void index(ConfigDef keys) {
        define(
                keys,
                INDEX_SIZE,
                ConfigDef.Type.LONG,
                10_000_000L,
                Expected.from(1, 10_000_000_000L),
                "How many unique documents are expected; bands and rows are chosen for it.");
        define(
                keys,
                BANDS,
                ConfigDef.Type.INT,
                NONE,
                Expected.from(1, HASHES_MAX),
                "Bands of the index, instead of those chosen from the targets above; only together with neardup.rows.");
        define(
                keys,
                ROWS,
                ConfigDef.Type.INT,
                NONE,
                Expected.from(1, HASHES_MAX),
                "Rows of a band; only together with neardup.bands. Bands x rows is at most 256 with minhash, as many"
                        + " as there are bits with simhash, 1 with textprofile and exact.");
        define(
                keys,
                INDEX_PARTITIONS,
                ConfigDef.Type.INT,
                4,
                Expected.from(1, 1024),
                "Over how many partitions the bands are spread. Fixed for the life of an index.");
        define(
                keys,
                RETENTION,
                ConfigDef.Type.STRING,
                "7d",
                Expected.retention(),
                "How long a unique document is remembered after its own timestamp, by the event time of its input"
                        + " partition: 90m, 36h, 7d, or forever. After that the same text is unique again.");
        define(
                keys,
                RETENTION_REFRESH,
                ConfigDef.Type.BOOLEAN,
                false,
                Expected.trueOrFalse(),
                "Whether that time counts from when a unique document was last repeated, exact to 1 % of it.");
        define(
                keys,
                VERSIONS,
                ConfigDef.Type.STRING,
                "compare",
                Expected.oneOf(Versions.class),
                "A document with the id of an earlier unique one of its input partition: compare judges it as any"
                        + " other, replace makes it unique in the place of that one. Cannot be changed to or from"
                        + " replace on an existing index.");
        define(
                keys,
                HASH_SEED,
                ConfigDef.Type.LONG,
                NONE,
                Expected.anyInteger(),
                "Seed of all hashes, for runs that must repeat. Left out, a secret random one is made with the index,"
                        + " which keeps outsiders from filling one bucket.");
        define(
                keys,
                HASH_SEED_OF,
                ConfigDef.Type.STRING,
                NONE,
                Expected.applicationId(),
                "The application.id of an index on the same cluster: a new index takes its seed, unseen, and finds what"
                        + " that one finds. Of no effect beside neardup.hash.seed.");
    }

    private static void limits(ConfigDef keys) {
        define(
                keys,
                BUCKET_MAX,
                ConfigDef.Type.INT,
                1000,
                Expected.from(1, 1_000_000),
                "The most documents a bucket takes. A full one refuses more, which are then not found by that band;"
                        + " it is counted.");
        define(
                keys,
                CANDIDATES_NAMED_MAX,
                ConfigDef.Type.INT,
                950,
                Expected.from(1, 10_000),
                "The most candidates that an index partition names, the oldest first of those that share as many bands."
                        + " Below neardup.bucket.max a full bucket costs little.");
        define(
                keys,
                CANDIDATES_ASKED_MAX,
                ConfigDef.Type.INT,
                2000,
                Expected.from(1, 10_000),
                "The most candidates that a document asks about. Sketches tell which of them are likely matches.");
        define(
                keys,
                CANDIDATES_VERIFIED_MAX,
                ConfigDef.Type.INT,
                100,
                Expected.from(1, 10_000),
                "The most likely candidates in each input partition that a document is compared with: a quarter in the"
                        + " order in which they are named, the others by their sketches. Where neardup.signature makes"
                        + " no sketches, all in that order. With an eighth as many matches, not counting those"
                        + " that came later, the rest waits until these have made it a duplicate or not."
                        + " The document waits for at most a 32nd as many that came earlier and are undecided; the"
                        + " other undecided ones are compared only if none of these makes it a duplicate.");
        define(
                keys,
                CANDIDATES_CROWD_MIN,
                ConfigDef.Type.INT,
                25,
                Expected.from(1, 10_000),
                "From so many candidates on a document is also compared with those that its candidates repeat or"
                        + " yielded to, so that copies without end hide neither their original nor each other.");
        define(
                keys,
                PENDING_MAX,
                ConfigDef.Type.INT,
                16_000,
                Expected.from(1, 1_000_000),
                "Documents in flight in an instance at which it stops reading until decisions come. Fewer leave its"
                        + " processors idle, as a decision takes half a second and more: 8000 for each stream thread"
                        + " are about right.");
        define(
                keys,
                PENDING_BYTES_MAX,
                ConfigDef.Type.INT,
                128 << 20,
                Expected.from(1, Integer.MAX_VALUE),
                "The same bound in bytes of their records; each takes two to three times that of the heap.");
        define(
                keys,
                ORIGINALS_MEMORY_BYTES,
                ConfigDef.Type.LONG,
                128L << 20,
                Expected.from(1 << 20, 1L << 40),
                "Memory of an instance outside of the heap, for originals that were read or written lately and for"
                        + " what finds them on disk, whatever the number of input partitions.");
    }

    private static void http(ConfigDef keys) {
        define(
                keys,
                HTTP_LISTEN,
                ConfigDef.Type.STRING,
                NONE,
                Expected.listenAddress(),
                "Where to answer over HTTP, as host:port; port 0 is any that is free. Left out, nowhere. An"
                        + " address that is not loopback needs a token.");
        define(
                keys,
                HTTP_HEALTH_LISTEN,
                ConfigDef.Type.STRING,
                NONE,
                Expected.listenAddress(),
                "Where else to answer questions about health, as host:port: with threads of its own and without a"
                        + " token, whatever happens at neardup.http.listen.");
        define(
                keys,
                HTTP_TOKEN_FILE,
                ConfigDef.Type.STRING,
                NONE,
                Expected.file(),
                "A file with the token, 16 to 512 visible ASCII characters, that requests must bring, as in"
                        + " \"Authorization: Bearer ...\". Read at the start. Health needs none.");
        define(
                keys,
                HTTP_HOSTS,
                ConfigDef.Type.LIST,
                NONE,
                Expected.hosts(),
                "Names, separated by commas, under which clients reach neardup.http.listen and"
                        + " neardup.http.health.listen. IP addresses, localhost and the names in these two are taken"
                        + " anyway; requests for other names are refused.");
        define(
                keys,
                HTTP_SOURCE,
                ConfigDef.Type.STRING,
                NONE,
                Expected.onePointer(),
                "JSON pointer to the source of a document, a string or an integer, such as a publisher: the page names"
                        + " those with the most duplicates.");
        define(
                keys,
                HTTP_TEXTS,
                ConfigDef.Type.BOOLEAN,
                false,
                Expected.trueOrFalse(),
                "Whether the page shows the latest duplicates word by word beside their originals, to all who may see"
                        + " it. While somebody looks, the instance reads the outputs, for which it needs READ.");
    }

    private static void define(
            ConfigDef keys,
            String name,
            ConfigDef.Type type,
            @Nullable Object value,
            Expected expected,
            String meaning) {
        keys.define(name, type, value, expected, Importance.MEDIUM, meaning);
    }
}
