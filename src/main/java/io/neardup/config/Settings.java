package io.neardup.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Settings as they were written, gathered from their sources: each call goes over what earlier ones gave. What cannot
 * be read is kept as a problem, so that {@link NeardupConfig} can report everything at once. Not thread-safe.
 */
public final class Settings {
    private static final String NEARDUP_VARIABLE = "NEARDUP_";
    private static final String FAMILY_VARIABLE = "NEARDUP_FAMILY_";
    private static final String KAFKA_VARIABLE = "KAFKA_";

    /** What Kubernetes sets for services whose names begin so: no settings. */
    private static final Pattern OF_KUBERNETES =
            Pattern.compile("(NEARDUP|KAFKA)_((.*_)?SERVICE_(HOST|PORT)(_.*)?|(.*_)?PORT(_[0-9]+_(TCP|UDP)(_.*)?)?)");

    /** What Kafka's own scripts and images set: no settings. */
    private static final Pattern OF_KAFKA_SCRIPTS =
            Pattern.compile("KAFKA_((.*_)?OPTS|COORDINATOR|VERSION|DEBUG|LOG_DIR|LOG_DIRS)");

    private static final Pattern KEY = Pattern.compile("[A-Za-z0-9._-]+");

    /** The ends of those of our keys, with the prefix that they need or without. Others are shown without values. */
    private static final Pattern SECRET = Pattern.compile("(hash\\.seed|\\.password|token)$");

    /**
     * A value as somebody wrote it.
     *
     * @param origin where, for messages: {@code file F}, {@code environment variable V} or {@code --set}
     */
    record Setting(String key, String value, String origin) {
        /** The key and the value unless it is secret, and where it comes from. */
        String shown() {
            return key + " = " + (SECRET.matcher(key.toLowerCase(Locale.ROOT)).find() ? "(hidden)" : value) + " ("
                    + origin + ")";
        }
    }

    private final Map<String, Setting> settings = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    /** Adds a properties file in UTF-8. */
    public Settings file(Path file) {
        String origin = "file " + file;
        try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            // Some editors begin a file of UTF-8 with a byte order mark.
            reader.mark(1);
            if (reader.read() != '\uFEFF') {
                reader.reset();
            }
            new Properties() {
                private static final long serialVersionUID = 1L;

                @Override
                public synchronized @Nullable Object put(Object key, Object value) {
                    Object before = super.put(key, value);
                    if (before != null) {
                        problems.add(key + ": expected once, found twice (" + origin + ")");
                    }
                    set(String.valueOf(key), String.valueOf(value).strip(), origin);
                    return before;
                }
            }.load(reader);
        } catch (NoSuchFileException e) {
            problems.add(origin + ": expected a properties file, found none");
        } catch (CharacterCodingException e) {
            problems.add(origin + ": expected UTF-8, found other bytes");
        } catch (IllegalArgumentException e) {
            problems.add(origin + ": expected four hexadecimal digits after each backslash and u, found others");
        } catch (IOException e) {
            problems.add(origin + ": expected a readable file, found " + e);
        }
        return this;
    }

    /**
     * Adds what the environment sets: {@code NEARDUP_SIMILARITY_THRESHOLD} is {@code neardup.similarity.threshold}, and
     * {@code KAFKA_BOOTSTRAP_SERVERS} is {@code bootstrap.servers}. Empty variables count as not set. Those that
     * Kubernetes makes for services of such names are ignored, with a warning.
     */
    public Settings environment(Map<String, String> environment) {
        Map<String, String> keys = keysByVariable();
        new TreeMap<>(environment).forEach((variable, value) -> {
            String key = keys.get(variable);
            if (value.isBlank()) {
                return;
            }
            if (key != null) {
                set(key, value.strip(), "environment variable " + variable);
            } else if (variable.startsWith(FAMILY_VARIABLE)) {
                String option = variable.substring(FAMILY_VARIABLE.length());
                set(Keys.FAMILY_PREFIX + dotted(option), value.strip(), "environment variable " + variable);
            } else if (OF_KUBERNETES.matcher(variable).matches()
                    || OF_KAFKA_SCRIPTS.matcher(variable).matches()) {
                warnings.add("environment variable " + variable + ": not taken for a setting, ignored");
            } else if (variable.startsWith(NEARDUP_VARIABLE)) {
                problems.add("environment variable " + variable + ": " + Keys.UNKNOWN);
            } else if (variable.startsWith(KAFKA_VARIABLE) && variable.length() > KAFKA_VARIABLE.length()) {
                set(
                        dotted(variable.substring(KAFKA_VARIABLE.length())),
                        value.strip(),
                        "environment variable " + variable);
            }
        });
        return this;
    }

    /** Adds pairs of the command line, each {@code key=value}; the last of a key counts. */
    public Settings pairs(List<String> pairs) {
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String key = equals < 0 ? "" : pair.substring(0, equals).strip();
            if (KEY.matcher(key).matches()) {
                set(key, pair.substring(equals + 1).strip(), "--set");
            } else {
                problems.add("--set: expected key=value, found " + start(pair));
            }
        }
        return this;
    }

    /** Drops the keys gathered so far that are not ours: another cluster is used than the one they were written for. */
    public Settings ownOnly() {
        settings.keySet().removeIf(key -> !key.startsWith(Keys.PREFIX));
        return this;
    }

    /** Adds one setting of the program itself, such as the address of an embedded broker. */
    public Settings set(String key, String value, String origin) {
        settings.put(key, new Setting(key, value, origin));
        return this;
    }

    public boolean isGiven(String key) {
        return settings.containsKey(key);
    }

    Map<String, Setting> all() {
        return Collections.unmodifiableMap(settings);
    }

    List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    List<String> warnings() {
        return Collections.unmodifiableList(warnings);
    }

    /** The pair may hold a secret, so only what looks like the start of a key is shown. */
    private static String start(String pair) {
        if (Keys.names().contains(pair.strip())) {
            return pair.strip() + " without a value";
        }
        var matcher = KEY.matcher(pair);
        return matcher.lookingAt() && matcher.end() < pair.length() ? matcher.group() + "..." : "no key";
    }

    private static String dotted(String variable) {
        return variable.toLowerCase(Locale.ROOT).replace('_', '.');
    }

    private static Map<String, String> keysByVariable() {
        Map<String, String> keys = new TreeMap<>();
        Stream.concat(Keys.names().stream(), Keys.GONE.keySet().stream())
                .filter(key -> key.startsWith(Keys.PREFIX))
                .forEach(key -> keys.put(key.toUpperCase(Locale.ROOT).replaceAll("[.-]", "_"), key));
        return keys;
    }
}
