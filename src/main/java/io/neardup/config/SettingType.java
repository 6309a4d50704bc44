package io.neardup.config;

import io.neardup.engine.lsh.Banding;
import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.StopWords;
import io.neardup.record.Pointers;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.DoublePredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What kind of value a setting takes: how that is said to people, and how it is read.
 *
 * @param description what is expected, as {@code an integer from 1 to 1024}
 * @param parser what the settings hold of a value as it is written, without white space around it; empty where it is
 *     not as expected
 */
record SettingType<T>(String description, Function<String, Optional<T>> parser) {
    /** The most values of any signature; a family may have fewer. */
    static final int HASHES_MAX = 1024;
    /** Before the application.id of the index whose hash seed is taken. */
    static final String SEED_OF = "of:";

    private static final Pattern TOPIC_NAME = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,249}");
    /** Leaves room for what is appended to make the names of the internal topics. */
    private static final Pattern APPLICATION_ID_FORM = Pattern.compile("(?!\\.{1,2}$)[a-zA-Z0-9._-]{1,200}");

    /** Of at most 100 packages: each repeat takes some of the stack. */
    private static final Pattern CLASS_NAME = Pattern.compile("([\\w$]+\\.){1,100}[\\w$]+");

    private static final String POINTER = "one JSON pointer (RFC 6901) such as /lang, without a comma";
    private static final String OR_HEADER = ", or header:NAME, the name not beginning with " + Keys.PREFIX;
    private static final Pattern BANDS_X_ROWS = Pattern.compile("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})");
    private static final String TIME = "[1-9][0-9]{0,5}[smhd]";
    private static final Pattern RETENTION_FORM = Pattern.compile("(" + TIME + "|forever)(,refreshed)?");
    static final SettingType<Boolean> TRUE_OR_FALSE =
            new SettingType<>("true or false", written -> Optional.of(written.toLowerCase(Locale.ROOT))
                    .filter(value -> value.equals("true") || value.equals("false"))
                    .map(Boolean::valueOf));
    static final SettingType<String> SERVERS =
            text("host:port, several separated by commas", written -> !written.isEmpty());
    static final SettingType<String> FILE = text("the path of a file", written -> !written.isEmpty());
    static final SettingType<String> PASSWORD = text("a password", written -> !written.isEmpty());
    static final SettingType<String> URL =
            text("http://host:port or https://host:port, a path behind it or none", SettingType::isUrl);
    static final SettingType<Integer> FOUR_OR_EIGHT = new SettingType<>(
            "4 or 8",
            written -> Optional.of(written).filter(List.of("4", "8")::contains).map(Integer::valueOf));
    static final SettingType<String> TOPIC =
            text("a topic name: 1 to 249 of a-z A-Z 0-9 . _ -", TOPIC_NAME.asMatchPredicate());
    static final SettingType<List<String>> TOPICS =
            list("one or more different topic names, separated by commas", TOPIC_NAME.asMatchPredicate());
    static final SettingType<String> APPLICATION_ID =
            text("1 to 200 of a-z A-Z 0-9 . _ -", APPLICATION_ID_FORM.asMatchPredicate());
    static final SettingType<List<String>> HOSTS =
            list("one or more different names of hosts, without ports, separated by commas", ListenAddress::isHost);
    static final SettingType<ListenAddress> LISTEN_ADDRESS =
            new SettingType<>("host:port such as 127.0.0.1:8080", ListenAddress::of);

    static final SettingType<String> POINTER_OR_HEADER = text(
            "a JSON pointer (RFC 6901) such as /id" + OR_HEADER,
            written -> Pointers.isPointer(written) || isHeader(written));

    /** Of a document's scope, and of its source. */
    static final SettingType<String> ONE_POINTER_OR_HEADER =
            text(POINTER + OR_HEADER, written -> isOnePointer(written) || isHeader(written));

    static final SettingType<List<String>> POINTERS =
            list("one or more different JSON pointers (RFC 6901) such as /title,/body", Pointers::isPointer);
    static final SettingType<String> SIGNATURE = text(
            String.join(", ", Families.SIGNATURES) + " or the name of a class",
            written -> Families.SIGNATURES.contains(written)
                    || CLASS_NAME.matcher(written).matches());
    static final SettingType<String> SHINGLE = text(ShingleSpec.EXPECTED, ShingleSpec::isValid);

    /** A file is looked at only when all settings are known. */
    static final SettingType<String> STOP_WORDS = text(
            "languages of " + String.join(", ", StopWords.languages()) + " separated by commas, or the path of a file",
            written -> Families.namesFile(written)
                    || StopWords.languages().containsAll(List.of(Families.languages(written))));

    static final SettingType<Banding> BANDING =
            new SettingType<>("BANDSxROWS such as 26x5, each from 1 to " + HASHES_MAX, written -> Optional.of(
                            BANDS_X_ROWS.matcher(written))
                    .filter(Matcher::matches)
                    .map(found -> new Banding(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))))
                    .filter(banding -> banding.bands() <= HASHES_MAX && banding.rows() <= HASHES_MAX));
    static final SettingType<String> RETENTION = text(
            "a number with s, m, h or d, such as 7d, or forever; each also with ,refreshed",
            RETENTION_FORM.asMatchPredicate());

    static final SettingType<Duration> DURATION =
            new SettingType<>("a number with s, m, h or d, such as 10s", written -> Optional.of(written)
                    .filter(Pattern.compile(TIME).asMatchPredicate())
                    .map(SettingType::duration));

    static final SettingType<Representative> REPRESENTATIVE =
            new SettingType<>("first, longest, newest, or source:a,b,c", Representative::of);

    static final SettingType<String> HASH_SEED = text(
            "an integer of 64 bits, or of:ID",
            written -> written.startsWith(SEED_OF)
                    ? APPLICATION_ID_FORM
                            .matcher(written.substring(SEED_OF.length()))
                            .matches()
                    : parsed(written, Long::valueOf).isPresent());

    /** What the setting holds of a value as it is written; empty where it is not as expected. */
    Optional<T> parse(String written) {
        return parser.apply(written.strip());
    }

    static SettingType<Integer> integer(int low, int high) {
        SettingType<Long> wide = wideInteger(low, high);
        return new SettingType<>(
                wide.description, written -> wide.parse(written).map(Math::toIntExact));
    }

    static SettingType<Long> wideInteger(long low, long high) {
        return new SettingType<>("an integer from " + low + " to " + high, written -> parsed(written, Long::valueOf)
                .filter(value -> value >= low && value <= high));
    }

    static SettingType<Double> number(String range, DoublePredicate accepts) {
        return new SettingType<>(
                "a number " + range, written -> parsed(written, Double::valueOf).filter(accepts::test));
    }

    static <E extends Enum<E>> SettingType<E> oneOf(Class<E> kind) {
        return new SettingType<>(String.join(" or ", names(kind)), written -> constant(kind, written));
    }

    /** @param time a number with s, m, h or d: that of ISO 8601 but for what stands before it */
    static Duration duration(String time) {
        return Duration.parse((time.endsWith("d") ? "P" : "PT") + time);
    }

    /** Some different ones, in the order of their declaration, whatever the order in which they are written. */
    static <E extends Enum<E>> SettingType<List<E>> severalOf(Class<E> kind) {
        SettingType<List<String>> listed = list("", name -> constant(kind, name).isPresent());
        return new SettingType<>(
                "one or more of " + String.join(", ", names(kind)) + ", separated by commas",
                written -> listed.parse(written).map(names -> names.stream()
                        .map(name -> constant(kind, name).orElseThrow())
                        .sorted()
                        .toList()));
    }

    private static SettingType<String> text(String description, Predicate<String> accepts) {
        return new SettingType<>(description, written -> Optional.of(written).filter(accepts));
    }

    /** At least one element, all of them different. */
    private static SettingType<List<String>> list(String description, Predicate<String> accepts) {
        return new SettingType<>(description, written -> Optional.of(List.of(written.split("\\s*,\\s*", -1)))
                .filter(elements ->
                        elements.stream().allMatch(accepts) && new HashSet<>(elements).size() == elements.size()));
    }

    private static <N extends Number> Optional<N> parsed(String written, Function<String, N> parser) {
        try {
            return Optional.of(parser.apply(written));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** Not with a user and a password in it: it stands in messages. */
    private static boolean isUrl(String text) {
        try {
            URI url = new URI(text);
            return ("http".equals(url.getScheme()) || "https".equals(url.getScheme()))
                    && url.getHost() != null
                    && url.getUserInfo() == null
                    && url.getQuery() == null
                    && url.getFragment() == null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** A comma, which a key may have, is most likely meant to separate two. */
    private static boolean isOnePointer(String text) {
        return Pointers.isPointer(text) && text.indexOf(',') < 0;
    }

    /** Not one of our own: outputs have these, whatever came in. */
    static boolean isHeader(String text) {
        return text.startsWith(Pointers.HEADER)
                && text.length() > Pointers.HEADER.length()
                && !text.startsWith(Keys.PREFIX, Pointers.HEADER.length());
    }

    private static <E extends Enum<E>> List<String> names(Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants())
                .map(constant -> spelled(constant.name()))
                .toList();
    }

    private static <E extends Enum<E>> Optional<E> constant(Class<E> kind, String name) {
        return Arrays.stream(kind.getEnumConstants())
                .filter(constant -> spelled(constant.name()).equals(name))
                .findFirst();
    }

    /** The name of a constant as settings have it. */
    static String spelled(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    static String written(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(SettingType::written).collect(Collectors.joining(","));
        }
        if (value instanceof Banding banding) {
            return banding.bands() + "x" + banding.rows();
        }
        return value instanceof Enum<?> constant ? spelled(constant.name()) : String.valueOf(value);
    }
}
