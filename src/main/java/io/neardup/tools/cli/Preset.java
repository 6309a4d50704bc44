package io.neardup.tools.cli;

import io.neardup.config.Settings;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Where id and text are in the documents of well-known sources. */
enum Preset {
    /** WARC, WET and ARC: a page is named by its address. */
    COMMON_CRAWL("common-crawl", "/url", "/text"),
    /** Items of Scrapy, by the names of fields that most spiders use. */
    SCRAPY("scrapy", "/url", "/title,/text,/content,/body"),
    /** RSS and Atom: a summary alone is often too short to tell two apart. */
    RSS("rss", "/id", "/title,/text");

    private final String shown;
    private final String id;
    private final String texts;

    Preset(String shown, String id, String texts) {
        this.shown = shown;
        this.id = id;
        this.texts = texts;
    }

    /** By the name that is shown. */
    static final class Converter implements ITypeConverter<Preset> {
        @Override
        public Preset convert(String name) {
            return Arrays.stream(values())
                    .filter(preset -> preset.shown.equals(name))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException("expected "
                            + Arrays.stream(values())
                                    .map(preset -> preset.shown)
                                    .collect(Collectors.joining(", "))
                            + ", found " + name));
        }
    }

    void addTo(Settings gathered) {
        String origin = "--preset " + shown;
        gathered.set("neardup.document.id", id, origin).set("neardup.document.text", texts, origin);
    }

    @Override
    public String toString() {
        return shown;
    }
}
