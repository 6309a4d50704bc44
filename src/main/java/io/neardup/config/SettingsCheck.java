package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.similarity.Family;
import io.neardup.engine.text.BoilerplateShingles;
import io.neardup.engine.text.Shingling;
import io.neardup.engine.text.StopWords;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** Turns settings into typed values and finds everything that is wrong with them. */
final class SettingsCheck {
    private static final List<String> INTERNAL_TOPICS =
            List.of("-lookups", "-replies", "-checks", "-seeds", "-settings");

    private final Map<String, ConfigKey> keys = Keys.definition().configKeys();
    private final Map<String, Setting> settings;
    private final Map<String, Object> values = new TreeMap<>();
    private final List<String> problems;
    private StopWords stopWords = StopWords.all();
    private @Nullable Shingling shingling;
    private @Nullable Family family;

    SettingsCheck(Settings settings) {
        this.settings = settings.all();
        this.problems = new ArrayList<>(settings.problems());
    }

    /** The typed values; settings that are left out and have no default are missing. */
    Map<String, Object> values(List<String> required) {
        settings.values().forEach(this::checkKey);
        keys.values().forEach(this::parse);
        for (String key : required) {
            if (!settings.containsKey(key)) {
                problems.add(key + ": expected " + key(key).validator + ", found none");
            }
        }
        checkStopWords();
        checkGivenBanding();
        checkHashSeed();
        checkPointers();
        checkTopics();
        checkSuccession();
        checkHttp();
        checkFamily();
        return values;
    }

    /** How texts are cut. Only where there are no problems. */
    Shingling shingling() {
        return Objects.requireNonNull(shingling);
    }

    /** The family that the settings name. Only where there are no problems. */
    Family family() {
        return Objects.requireNonNull(family);
    }

    List<String> problems() {
        return problems;
    }

    /** Known when the values are. */
    StopWords stopWords() {
        return stopWords;
    }

    Map<String, String> kafka() {
        Map<String, String> kafka = new TreeMap<>();
        settings.forEach((key, setting) -> kafka.put(key, setting.value()));
        kafka.keySet().removeIf(key -> key.startsWith(Keys.PREFIX));
        kafka.put(Keys.APPLICATION_ID, String.valueOf(values.get(Keys.APPLICATION_ID)));
        return kafka;
    }

    private void checkKey(Setting setting) {
        String key = setting.key();
        if (keys.keySet().contains(key) || key.startsWith(Keys.FAMILY_PREFIX)) {
            return;
        }
        if (keys.keySet().contains(Keys.PREFIX + key)) {
            problem(setting, "expected the key " + Keys.PREFIX + key);
        } else if (key.startsWith(Keys.PREFIX)) {
            Optional<String> nearest = NearestKey.to(key, keys.keySet());
            // A misspelt secret is one still, and so is one in the place of its file.
            String shown = Secrets.masked(key, Secrets.masked(nearest.orElse(key), setting.value()));
            String hint = nearest.map(meant -> ", did you mean " + meant + "?").orElse("");
            problem(new Setting(key, shown, setting.origin()), "no such setting" + hint);
        }
    }

    private void parse(ConfigKey key) {
        Setting setting = settings.get(key.name);
        if (setting == null) {
            if (key.defaultValue != null) {
                values.put(key.name, typed(key, key.defaultValue));
            }
            return;
        }
        try {
            Object value = ConfigDef.parseType(key.name, setting.value(), key.type);
            key.validator.ensureValid(key.name, value);
            values.put(key.name, typed(key, value));
        } catch (ConfigException e) {
            problem(setting, "expected " + key.validator);
        }
    }

    private static Object typed(ConfigKey key, Object value) {
        return ((Expected) key.validator).typed().apply(value);
    }

    /** Only where all else is right: a value out of range is reported as that. */
    private void checkFamily() {
        if (!problems.isEmpty()) {
            return;
        }
        Shingling cut = Families.shingling(values, stopWords);
        try {
            cut = withoutCommon(cut);
        } catch (IllegalArgumentException e) {
            problem(Keys.COMMON, String.valueOf(e.getMessage()));
            return;
        }
        try {
            Family named = Families.of(values, cut, familyOptions());
            shingling = cut;
            values.putIfAbsent(Keys.THRESHOLD, named.usualThreshold());
            values.putIfAbsent(Keys.UNRELATED, named.usualUnrelated());
            family = named;
        } catch (IllegalArgumentException e) {
            problem(Keys.SIGNATURE, String.valueOf(e.getMessage()));
            return;
        }
        checkHtml(family());
        checkThreshold();
        checkTargets();
    }

    private void checkHtml(Family named) {
        if (Boolean.TRUE.equals(values.get(Keys.DOCUMENT_HTML)) && named.material() == Family.Material.NUMBERS) {
            problem(Keys.DOCUMENT_HTML, "expected false with a signature that compares numbers");
        }
    }

    private Shingling withoutCommon(Shingling cut) {
        if (!(values.get(Keys.COMMON) instanceof String file)) {
            return cut;
        }
        if (values.get(Keys.SIGNATURE) instanceof SignatureKind kind && !kind.comparesShingles()) {
            throw new IllegalArgumentException("expected only where shingles are compared, with " + Keys.SIGNATURE
                    + "=minhash or simhash, found with " + Expected.written(kind));
        }
        return cut.without(NamedFile.read(file, BoilerplateShingles::read));
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

    private void checkStopWords() {
        if (values.get(Keys.STOP_WORDS) instanceof String source) {
            try {
                stopWords = StopWordsSource.read(source);
            } catch (NoSuchFileException e) {
                problem(Keys.STOP_WORDS, "expected a file, found none");
            } catch (CharacterCodingException e) {
                problem(Keys.STOP_WORDS, "expected UTF-8, found other bytes");
            } catch (IOException e) {
                problem(Keys.STOP_WORDS, "expected a readable file, found " + e);
            } catch (IllegalArgumentException e) {
                problem(Keys.STOP_WORDS, String.valueOf(e.getMessage()));
            }
        }
    }

    private void checkThreshold() {
        if (values.get(Keys.THRESHOLD) instanceof Double threshold
                && values.get(Keys.UNRELATED) instanceof Double unrelated
                && unrelated >= threshold) {
            if (settings.containsKey(Keys.UNRELATED)) {
                problem(Keys.UNRELATED, "expected less than " + Keys.THRESHOLD + ", which is " + threshold);
            } else {
                problem(Keys.THRESHOLD, "expected more than " + Keys.UNRELATED + ", which is " + unrelated);
            }
        }
    }

    private void checkGivenBanding() {
        if (settings.containsKey(Keys.BANDS) != settings.containsKey(Keys.ROWS)) {
            String given = settings.containsKey(Keys.BANDS) ? Keys.BANDS : Keys.ROWS;
            String missing = given.equals(Keys.BANDS) ? Keys.ROWS : Keys.BANDS;
            problem(given, "expected " + missing + " with it, or neither");
        }
    }

    private void checkHashSeed() {
        if (settings.containsKey(Keys.HASH_SEED_OF)
                && Objects.equals(values.get(Keys.HASH_SEED_OF), values.get(Keys.APPLICATION_ID))) {
            problem(Keys.HASH_SEED_OF, "expected another index than that of " + Keys.APPLICATION_ID);
        }
    }

    private void checkPointers() {
        for (String key : List.of(Keys.SCOPE, Keys.HTTP_SOURCE)) {
            checkPointer(key);
        }
    }

    private void checkPointer(String key) {
        if (values.get(Keys.DOCUMENT_FORMAT) == DocumentFormat.TEXT
                && values.get(key) instanceof String place
                && !Expected.isHeader(place)) {
            String expected = key.equals(Keys.SCOPE) ? "expected none or header:NAME with " : "expected none with ";
            problem(key, expected + Keys.DOCUMENT_FORMAT + "=text, or documents in JSON");
        }
    }

    private void checkTargets() {
        if (!problems.isEmpty()) {
            return;
        }
        try {
            Banding banding = Bandings.of(values, family());
            int most = family().valuesMax();
            if (banding.hashes() > most) {
                String found = banding.bands() + " x " + banding.rows() + " = " + banding.hashes();
                problem(Keys.BANDS, "expected bands x rows of at most " + most + ", found " + found);
            }
        } catch (IllegalArgumentException e) {
            problem(Keys.RECALL, String.valueOf(e.getMessage()));
        }
    }

    /** The keys of the topics that are written to, those of records first. The one list of them. */
    static List<String> outputKeys(Map<String, Object> values) {
        List<String> keys = new ArrayList<>();
        if (values.get(Keys.OUTPUTS) instanceof List<?> outputs) {
            if (outputs.contains(Output.RECORDS)) {
                keys.addAll(List.of(Keys.UNIQUE_TOPIC, Keys.DUPLICATES_TOPIC, Keys.DEAD_LETTER_TOPIC));
            }
            if (outputs.contains(Output.VERDICTS)) {
                keys.add(Keys.VERDICTS_TOPIC);
            }
        }
        return keys;
    }

    /** Every topic has one use: a record on an output must never come back as an input. */
    private void checkTopics() {
        Map<String, String> uses = new HashMap<>();
        for (String suffix : INTERNAL_TOPICS) {
            uses.put(values.get(Keys.APPLICATION_ID) + suffix, "an internal topic of " + Keys.APPLICATION_ID);
        }
        if (values.get(Keys.INPUT_TOPICS) instanceof List<?> inputs) {
            inputs.forEach(input -> claim(uses, String.valueOf(input), Keys.INPUT_TOPICS));
        }
        if (values.get(Keys.SEED_TOPICS) instanceof List<?> seeds) {
            seeds.forEach(seed -> claim(uses, String.valueOf(seed), Keys.SEED_TOPICS));
        }
        for (String key : outputKeys(values)) {
            if (values.get(key) instanceof String topic) {
                claim(uses, topic, key);
            }
        }
    }

    private void checkSuccession() {
        Object predecessor = values.get(Keys.SUCCESSOR_OF);
        if (predecessor != null && predecessor.equals(values.get(Keys.APPLICATION_ID))) {
            problem(Keys.SUCCESSOR_OF, "expected the " + Keys.APPLICATION_ID + " of another index, found its own");
        }
    }

    /** What only this machine can reach needs no token. */
    private void checkHttp() {
        if (values.get(Keys.HTTP_LISTEN) instanceof ListenAddress listen) {
            if (!listen.isLoopback() && !values.containsKey(Keys.HTTP_TOKEN_FILE)) {
                problem(
                        Keys.HTTP_LISTEN,
                        "expected " + Keys.HTTP_TOKEN_FILE + " with it, or a loopback address such"
                                + " as 127.0.0.1, as anybody else could read");
            }
            if (listen.port() != 0 && listen.equals(values.get(Keys.HTTP_HEALTH_LISTEN))) {
                problem(Keys.HTTP_HEALTH_LISTEN, "expected another port than that of " + Keys.HTTP_LISTEN);
            }
        }
    }

    private void claim(Map<String, String> uses, String topic, String key) {
        @Nullable String use = uses.putIfAbsent(topic, key);
        if (use != null) {
            problem(key, "expected a topic of its own, but " + topic + " is " + use + " already");
        }
    }

    private void problem(String key, String expected) {
        problem(settings.getOrDefault(key, new Setting(key, writtenDefault(key), "default")), expected);
    }

    private void problem(Setting setting, String expected) {
        problems.add(setting.shown() + " (" + setting.origin() + "): " + expected);
    }

    private String writtenDefault(String key) {
        Object value = key(key).defaultValue;
        return value == null ? "" : Expected.written(value);
    }

    private ConfigKey key(String name) {
        return Objects.requireNonNull(keys.get(name), name);
    }
}
