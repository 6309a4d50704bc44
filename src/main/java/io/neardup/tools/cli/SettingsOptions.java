package io.neardup.tools.cli;

import io.neardup.config.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** Where a command's settings come from: a file, the environment over it, and single pairs over both. */
class SettingsOptions {
    /**
     * Where id and text are in the documents of well-known sources: pages are named by their addresses, items of Scrapy
     * have the names that most spiders use, and a summary of RSS alone is often too short to tell two apart. Of
     * CloudEvents, structured mode has all of the event in the value, binary mode its attributes in headers.
     */
    private static final Map<String, List<String>> PRESETS = new TreeMap<>(Map.of(
            "common-crawl", List.of("/url", "/text", "/url"),
            "scrapy", List.of("/url", "/title,/text,/content,/body", "/url"),
            "rss", List.of("/id", "/title,/text", "/source"),
            "cloudevents", List.of("/id", "/data/text", "/source"),
            "cloudevents-binary", List.of("header:ce_id", "/text", "header:ce_source")));

    static final class PresetConverter implements ITypeConverter<String> {
        @Override
        public String convert(String name) {
            if (!PRESETS.containsKey(name)) {
                throw new TypeConversionException(
                        "expected " + String.join(", ", PRESETS.keySet()) + ", found " + name);
            }
            return name;
        }
    }

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Settings, as in config/neardup.properties. Environment variables go over it,%n  "
                    + "NEARDUP_HTTP_LISTEN for neardup.http.listen.")
    private @Nullable Path config;

    @Option(
            names = "--preset",
            paramLabel = "NAME",
            converter = PresetConverter.class,
            description =
                    "Where id, text and source are in documents of common-crawl, scrapy, rss, cloudevents (structured)"
                            + " or cloudevents-binary. File, environment and --set go over it.")
    private @Nullable String preset;

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "A setting that goes over the file and the environment; may be repeated.")
    private List<String> pairs = new ArrayList<>();

    /** What was gathered, unchecked. */
    Settings settings() {
        return withPairs(fileAndEnvironment());
    }

    /** Single pairs go over what was gathered before. */
    final Settings withPairs(Settings gathered) {
        return gathered.pairs(pairs);
    }

    /** As {@link #settings}, but of file and environment without what is meant for Kafka on another cluster. */
    Settings settingsForOwnBroker() {
        return fileAndEnvironment().ownOnly().pairs(pairs);
    }

    final Settings fileAndEnvironment() {
        Settings settings = new Settings();
        if (preset != null) {
            List<String> places = Objects.requireNonNull(PRESETS.get(preset));
            settings.set("neardup.document.id", places.get(0), "--preset " + preset);
            settings.set("neardup.document.text", places.get(1), "--preset " + preset);
            settings.set("neardup.source", places.get(2), "--preset " + preset);
        }
        if (config != null) {
            settings.file(config);
        }
        return settings.environment(System.getenv());
    }
}
