package io.neardup.record;

import crawlercommons.domains.EffectiveTldFinder;
import io.neardup.engine.text.TableLines;
import java.io.IOException;
import java.io.Reader;
import java.net.IDN;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which publisher a source is of: a pure function, so that what was counted by it can be counted again. That of a URL
 * or a host is its registrable domain by the public suffix list of the library, in lower case and ASCII: {@code
 * www.bbc.co.uk} is of {@code bbc.co.uk}. Suffixes of companies count as those of registries do: everybody has a domain
 * of their own below {@code github.io}. Other names are compared in lower case, white space around them taken off and
 * runs of it one space. A table joins what belongs together. Thread-safe.
 */
public final class Publishers {
    /** What documents without a source have in its place; it has no publisher. */
    public static final String UNKNOWN = "unknown";
    /** Without a table. */
    public static final Publishers BY_DOMAIN = new Publishers(Map.of());
    /** The longest publisher that a table names, in chars. */
    static final int LENGTH_MAX = SourcePointer.LENGTH_MAX;

    private static final int LINE_MAX = 10_000;

    /** User and password, the host with its port, and what is behind. */
    private static final Pattern URL = Pattern.compile(
            "(?:[a-z][a-z0-9+.-]*:)?//(?:[^/\\\\?#]*@)?([^/\\\\?#@\\s]+)(?:[/\\\\?#].*)?",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    /** As people write it, with a port or a path or neither. */
    private static final Pattern HOST = Pattern.compile("([^\\s/:?#@]+\\.[^\\s/:?#@]+)(?::[0-9]+)?(?:/.*)?");

    private static final Pattern SPACES = Pattern.compile("\\s+");
    private static final Pattern PORT = Pattern.compile(":[0-9]*$");
    private static final Pattern IPV4 = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}");

    private final Map<String, String> table;

    private Publishers(Map<String, String> table) {
        this.table = Map.copyOf(table);
    }

    /**
     * Reads a table: lines of a source, a tab and its publisher. Lines that begin with # and blank ones do not count.
     * A source is matched as it is but for case and white space around it, else by its host, else by its registrable
     * domain.
     *
     * @throws IllegalArgumentException where a line is another than expected: it says which
     */
    public static Publishers read(Reader reader) throws IOException {
        TableLines lines = new TableLines("Publishers", reader, LINE_MAX);
        Map<String, String> table = new HashMap<>();
        for (String line = lines.next(); line != null; line = lines.next()) {
            if (line.startsWith("#") || line.isBlank()) {
                continue;
            }
            int tab = line.indexOf('\t');
            String source = plain(line.substring(0, Math.max(tab, 0)));
            String publisher = BY_DOMAIN.of(line.substring(tab + 1)).orElse("");
            if (tab < 0 || source.isEmpty() || publisher.isEmpty() || line.indexOf('\t', tab + 1) >= 0) {
                throw lines.wrong("a source, a tab and its publisher");
            }
            if (publisher.length() > LENGTH_MAX) {
                throw lines.wrong("a publisher of at most " + LENGTH_MAX + " chars");
            }
            String key = host(source).filter(ascii(source)::equals).orElse(source);
            @Nullable String other = table.putIfAbsent(key, publisher);
            if (other != null && !other.equals(publisher)) {
                throw lines.wrong("one publisher of a source, which has " + TableLines.shown(other) + " above");
            }
        }
        return new Publishers(table);
    }

    /** The publisher; empty for no source, a blank one or {@value #UNKNOWN}. */
    public Optional<String> of(String source) {
        String name = plain(source);
        if (name.isEmpty() || name.equals(UNKNOWN)) {
            return Optional.empty();
        }
        Optional<String> host = host(name);
        String own = host.map(Publishers::registered).orElse(name);
        return Stream.of(name, host.orElse(name), own)
                .map(table::get)
                .filter(Objects::nonNull)
                .findFirst()
                .or(() -> Optional.of(own));
    }

    private static String plain(String name) {
        return SPACES.matcher(name.strip()).replaceAll(" ").toLowerCase(Locale.ROOT);
    }

    /** Of a URL any; a name without a scheme is a host where its last part is one of the list, or it is an address. */
    private static Optional<String> host(String name) {
        Optional<String> ofUrl = Optional.of(URL.matcher(name))
                .filter(Matcher::matches)
                .map(found -> ascii(PORT.matcher(found.group(1)).replaceFirst("")))
                .filter(host -> !host.isEmpty());
        if (ofUrl.isPresent()) {
            return ofUrl;
        }
        Matcher written = HOST.matcher(name);
        return Optional.of(written)
                .filter(Matcher::matches)
                .map(found -> ascii(found.group(1)))
                .filter(host ->
                        IPV4.matcher(host).matches() || EffectiveTldFinder.getEffectiveTLD(host, false) != null);
    }

    /** What pages of one site have in common: the host, in lower case and ASCII; of other names the source itself. */
    public static String siteOf(String source) {
        return host(plain(source)).orElse(source);
    }

    /** Hosts of other letters as the DNS has them, so that both spellings are one. */
    private static String ascii(String host) {
        String named = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (named.chars().allMatch(c -> c < 0x80)) {
            return named;
        }
        try {
            return IDN.toASCII(named, IDN.ALLOW_UNASSIGNED).toLowerCase(Locale.ROOT);
        } catch (RuntimeException e) { // The JDK has several for what is no host of the DNS,
            return named; // which stays the name that it is.
        }
    }

    /** The host itself where nothing of it can be registered: an address, a suffix, a name of a local network. */
    private static String registered(String host) {
        try {
            @Nullable String domain = EffectiveTldFinder.getAssignedDomain(host, true, false);
            return domain == null ? host : domain;
        } catch (RuntimeException e) { // As above: the library asks the JDK about each label.
            return host;
        }
    }
}
