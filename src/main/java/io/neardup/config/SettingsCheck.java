package io.neardup.config;

import io.neardup.config.NeardupConfig.DocumentFormat;
import io.neardup.config.NeardupConfig.Output;
import io.neardup.config.Settings.Setting;
import io.neardup.engine.lsh.BandTable;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.text.Shingling;
import io.neardup.engine.text.StopWords;
import io.neardup.record.AvroValues;
import io.neardup.record.Publishers;
import io.neardup.record.SchemaRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** Turns settings into typed values, and finds everything that is wrong with them. */
final class SettingsCheck {
    /** What the names of the service's own topics end with, those of its changelogs too. */
    private static final Pattern INTERNAL_TOPICS =
            Pattern.compile("-(lookups|replies|checks|seeds|settings|story-events"
                    + "|(progress|originals|buckets|stories)-changelog)");

    /** The keys of the topics that records leave on. */
    static final List<Keys.Key<String>> RECORD_KEYS =
            List.of(Keys.UNIQUE_TOPIC, Keys.DUPLICATES_TOPIC, Keys.DEAD_LETTER_TOPIC);

    /**
     * What settings say that are right.
     *
     * @param values typed; settings that are left out and have no default are missing
     * @param publishers by the file that the settings name, if they do
     * @param avro how values in Avro are read; empty where none are
     */
    record Checked(
            SettingValues values,
            Family family,
            Shingling shingling,
            Publishers publishers,
            Optional<AvroValues> avro,
            Map<String, String> kafka,
            List<String> warnings) {}

    private final Map<String, Setting> settings;
    private final SettingValues values = new SettingValues();
    private final List<String> problems;
    private StopWords stopWords = StopWords.all();
    private Publishers publishers = Publishers.BY_DOMAIN;
    private @Nullable AvroValues avro;
    private @Nullable Shingling shingling;
    private @Nullable Family family;

    private SettingsCheck(Settings settings) {
        this.settings = settings.all();
        this.problems = new ArrayList<>(settings.problems());
    }

    /** @throws ConfigurationException with every problem at once */
    static Checked of(Settings settings, boolean isForCluster) {
        SettingsCheck check = new SettingsCheck(settings);
        check.all(isForCluster);
        if (!check.problems.isEmpty()) {
            throw new ConfigurationException(check.problems);
        }
        return new Checked(
                check.values,
                Objects.requireNonNull(check.family),
                Objects.requireNonNull(check.shingling),
                check.publishers,
                Optional.ofNullable(check.avro),
                check.kafka(),
                List.copyOf(settings.warnings()));
    }

    private void all(boolean isForCluster) {
        settings.values().forEach(this::checkName);
        Keys.all().forEach(this::parse);
        if (isForCluster && !isGiven(Keys.BOOTSTRAP_SERVERS)) {
            problems.add(
                    Keys.BOOTSTRAP_SERVERS.name() + ": expected " + expected(Keys.BOOTSTRAP_SERVERS) + ", found none");
        }
        makeFromFiles();
        checkTogether();
        checkTopics();
        if (problems.isEmpty()) {
            checkWhatIsCompared();
        }
    }

    private Map<String, String> kafka() {
        Map<String, String> kafka = new TreeMap<>();
        settings.forEach((key, setting) -> kafka.put(key, setting.value()));
        kafka.keySet().removeIf(key -> key.startsWith(Keys.PREFIX));
        kafka.put(Keys.APPLICATION_ID.name(), values.get(Keys.APPLICATION_ID));
        return Collections.unmodifiableMap(kafka);
    }

    private void checkName(Setting setting) {
        String name = setting.key();
        if (Keys.isKnown(name) || name.startsWith(Keys.FAMILY_PREFIX)) {
            return;
        }
        if (Keys.isKnown(Keys.PREFIX + name)) {
            problem(setting, "expected the key " + Keys.PREFIX + name);
        } else if (Keys.GONE.containsKey(name)) {
            problem(setting, "no setting any more, " + Keys.GONE.get(name));
        } else if (name.startsWith(Keys.PREFIX)) {
            // Without its value: a misspelt secret is one still.
            problems.add(name + " (" + setting.origin() + "): " + Keys.UNKNOWN);
        }
    }

    private <T> void parse(Keys.Key<T> key) {
        Setting setting = settings.get(key.name());
        @Nullable String written = setting == null ? key.defaultValue() : setting.value();
        if (written == null) {
            return;
        }
        Optional<T> value = key.type().parse(written);
        if (value.isPresent()) {
            values.put(key, value.get());
        } else {
            problem(key, "expected " + expected(key));
        }
    }

    /** The kind of its value, and what else somebody needs to know who chooses another. */
    private static String expected(Keys.Key<?> key) {
        return key.type().description() + " (" + key.facts() + ")";
    }

    /** Makes an object from a setting; an IllegalArgumentException becomes a problem of that setting. */
    private <T> Optional<T> made(Keys.Key<?> by, Supplier<T> maker) {
        try {
            return Optional.of(maker.get());
        } catch (IllegalArgumentException e) {
            problem(by, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private void makeFromFiles() {
        values.find(Keys.STOP_WORDS)
                .flatMap(source -> made(Keys.STOP_WORDS, () -> Families.stopWords(source)))
                .ifPresent(read -> stopWords = read);
        values.find(Keys.PUBLISHERS)
                .flatMap(file -> made(Keys.PUBLISHERS, () -> Families.read(file, Publishers::read)))
                .ifPresent(read -> publishers = read);
        checkRegistry();
    }

    private void checkRegistry() {
        boolean isAlone = values.is(Keys.DOCUMENT_FORMAT, DocumentFormat.AVRO);
        if (!isAlone && !values.is(Keys.DOCUMENT_FORMAT, DocumentFormat.AUTO)) {
            return;
        }
        Optional<String> url = values.find(Keys.REGISTRY_URL);
        if (url.isEmpty() && !isGiven(Keys.REGISTRY_URL)) {
            problem(Keys.DOCUMENT_FORMAT, "expected " + Keys.REGISTRY_URL.name() + " with it");
        }
        if (url.isEmpty() || !values.has(Keys.REGISTRY_ID_BYTES)) {
            return;
        }
        @Nullable
        String password = values.find(Keys.REGISTRY_TRUSTSTORE_PASSWORD).orElse(null);
        Optional<SSLContext> trust = values.find(Keys.REGISTRY_TRUSTSTORE_FILE)
                .flatMap(file ->
                        made(Keys.REGISTRY_TRUSTSTORE_FILE, () -> SchemaRegistry.trusting(Path.of(file), password)));
        @Nullable
        Path credentials =
                values.find(Keys.REGISTRY_CREDENTIALS_FILE).map(Path::of).orElse(null);
        made(Keys.REGISTRY_CREDENTIALS_FILE, () -> new SchemaRegistry(url.get(), credentials, trust.orElse(null)))
                .ifPresent(registry -> avro = new AvroValues(registry, values.get(Keys.REGISTRY_ID_BYTES), isAlone));
    }

    /** What one setting says must fit what others say. */
    private void checkTogether() {
        String own = values.find(Keys.APPLICATION_ID).orElse("");
        String name = Keys.APPLICATION_ID.name();
        require(
                !values.is(Keys.HASH_SEED, SettingType.SEED_OF + own),
                Keys.HASH_SEED,
                "expected " + SettingType.SEED_OF + " and the " + name + " of another index, found its own");
        require(
                !values.is(Keys.SUCCESSOR_OF, own),
                Keys.SUCCESSOR_OF,
                "expected the " + name + " of another index, found its own");
        boolean isText = values.is(Keys.DOCUMENT_FORMAT, DocumentFormat.TEXT);
        String orJson = " with " + Keys.DOCUMENT_FORMAT.name() + "=text, or documents in JSON or Avro";
        for (Keys.Key<String> key : List.of(Keys.SCOPE, Keys.SOURCE, Keys.DOCUMENT_ID)) {
            require(
                    !isText
                            || isDefault(key)
                            || values.find(key).filter(SettingType::isHeader).isPresent(),
                    key,
                    "expected none or header:NAME" + orJson);
        }
        require(!isText || isDefault(Keys.DOCUMENT_TEXT), Keys.DOCUMENT_TEXT, "expected none" + orJson);
        boolean hasSource = values.has(Keys.SOURCE);
        require(hasSource || !values.has(Keys.PUBLISHERS), Keys.PUBLISHERS, "expected only with " + Keys.SOURCE.name());
        require(
                hasSource
                        || values.find(Keys.STORIES_REPRESENTATIVE)
                                .filter(representative -> representative.rule() == Representative.Rule.SOURCE)
                                .isEmpty(),
                Keys.STORIES_REPRESENTATIVE,
                "expected source:... only with " + Keys.SOURCE.name());
        require(
                !values.is(Keys.OUTPUTS, List.of(Output.STORIES)),
                Keys.OUTPUTS,
                "expected records, verdicts or both beside stories, which refer to their documents");
        values.find(Keys.HTTP_LISTEN).ifPresent(listen -> {
            require(
                    listen.isLoopback() || values.has(Keys.HTTP_TOKEN_FILE),
                    Keys.HTTP_LISTEN,
                    "expected " + Keys.HTTP_TOKEN_FILE.name() + " with it, or a loopback address such as 127.0.0.1, as"
                            + " without a token anybody could read");
            require(
                    listen.port() == 0 || !values.is(Keys.HTTP_HEALTH_LISTEN, listen),
                    Keys.HTTP_HEALTH_LISTEN,
                    "expected another port than that of " + Keys.HTTP_LISTEN.name());
        });
    }

    private void require(boolean holds, Keys.Key<?> key, String expected) {
        if (!holds) {
            problem(key, expected);
        }
    }

    /** The keys of the topics that are written to, those of records first. The one list of them. */
    static List<Keys.Key<String>> outputKeys(SettingValues values) {
        List<Output> outputs = values.find(Keys.OUTPUTS).orElse(List.of());
        List<Keys.Key<String>> keys = new ArrayList<>();
        if (outputs.contains(Output.RECORDS)) {
            keys.addAll(RECORD_KEYS);
        }
        if (outputs.contains(Output.VERDICTS)) {
            keys.add(Keys.VERDICTS_TOPIC);
        }
        if (outputs.contains(Output.STORIES)) {
            keys.add(Keys.STORIES_TOPIC);
        }
        return keys;
    }

    /** Every topic has one use: a record on an output must never come back as an input. */
    private void checkTopics() {
        Map<String, String> uses = new HashMap<>();
        for (Keys.Key<List<String>> key : List.of(Keys.INPUT_TOPICS, Keys.SEED_TOPICS)) {
            values.find(key).orElse(List.of()).forEach(topic -> claim(uses, topic, key));
        }
        for (Keys.Key<String> key : outputKeys(values)) {
            values.find(key).ifPresent(topic -> claim(uses, topic, key));
        }
    }

    private void claim(Map<String, String> uses, String topic, Keys.Key<?> key) {
        String own = values.find(Keys.APPLICATION_ID).orElse("");
        boolean isInternal = topic.startsWith(own)
                && INTERNAL_TOPICS.matcher(topic.substring(own.length())).matches();
        String internal = "an internal topic of " + Keys.APPLICATION_ID.name();
        @Nullable String use = isInternal ? internal : uses.putIfAbsent(topic, key.name());
        if (use != null) {
            problem(key, "expected a topic of its own, but " + topic + " is " + use + " already");
        }
    }

    /** Only where all else is right: a value out of range is reported as that. */
    private void checkWhatIsCompared() {
        made(Keys.BOILERPLATE, () -> Families.shingling(values, stopWords)).ifPresent(cut -> {
            shingling = cut;
            made(Keys.SIGNATURE, () -> Families.of(values, cut, familyOptions()))
                    .ifPresent(this::checkFamily);
        });
    }

    private void checkFamily(Family named) {
        family = named;
        if (!values.has(Keys.THRESHOLD)) {
            values.put(Keys.THRESHOLD, named.defaultThreshold());
        }
        if (!values.has(Keys.UNRELATED)) {
            values.put(Keys.UNRELATED, named.defaultUnrelated());
        }
        require(
                !values.get(Keys.DOCUMENT_HTML) || named.material() != Family.Material.NUMBERS,
                Keys.DOCUMENT_HTML,
                "expected false with a signature that compares numbers");
        double unrelated = values.get(Keys.UNRELATED);
        require(
                unrelated < values.get(Keys.THRESHOLD),
                Keys.THRESHOLD,
                "expected more than " + Keys.UNRELATED.name() + ", which is " + unrelated);
        if (problems.isEmpty()) {
            checkBanding(named);
        }
    }

    private Map<String, String> familyOptions() {
        Map<String, String> options = new TreeMap<>();
        settings.forEach((key, setting) -> {
            if (key.startsWith(Keys.FAMILY_PREFIX)) {
                options.put(key.substring(Keys.FAMILY_PREFIX.length()), setting.value());
            }
        });
        return options;
    }

    private void checkBanding(Family named) {
        int most = named.valuesMax();
        made(Keys.RECALL, () -> Families.banding(values, named)).ifPresent(banding -> {
            if (banding.hashes() > most) {
                String found = banding.bands() + " x " + banding.rows() + " = " + banding.hashes();
                problem(Keys.BANDING, "expected bands x rows of at most " + most + ", found " + found);
            }
            int partitions = values.get(Keys.INDEX_PARTITIONS);
            if (banding.bands() > (long) partitions * BandTable.BANDS_MAX) {
                problem(
                        Keys.BANDING,
                        "expected at most " + BandTable.BANDS_MAX + " bands for each of "
                                + Keys.INDEX_PARTITIONS.name() + ", which is " + partitions + ", found "
                                + banding.bands());
            }
        });
    }

    /** Also where it is given as that, as in the shipped file. */
    private boolean isDefault(Keys.Key<?> key) {
        Setting setting = settings.get(key.name());
        return setting == null || setting.value().equals(key.defaultValue());
    }

    private boolean isGiven(Keys.Key<?> key) {
        return settings.containsKey(key.name());
    }

    private void problem(Keys.Key<?> key, String expected) {
        String defaultValue = key.defaultValue() == null ? "" : key.defaultValue();
        problem(settings.getOrDefault(key.name(), new Setting(key.name(), defaultValue, "default")), expected);
    }

    private void problem(Setting setting, String expected) {
        problems.add(setting.shown() + ": " + expected);
    }
}
