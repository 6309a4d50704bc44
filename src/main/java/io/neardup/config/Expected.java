package io.neardup.config;

import io.neardup.engine.text.ShingleSpec;
import io.neardup.engine.text.StopWords;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * What a value must be, and how that is said to people. An optional setting that is left out is never checked.
 *
 * @param typed makes of a value that is accepted what the settings hold, such as the constant of a mode
 */
record Expected(String description, Predicate<Object> accepts, UnaryOperator<Object> typed)
        implements ConfigDef.Validator {
    private static final Pattern TOPIC = Pattern.compile("[a-zA-Z0-9._-]{1,249}");
    private static final String HEADER = "header:";
    private static final Pattern NO_POINTER_ESCAPE = Pattern.compile("~(?![01])");
    /** Leaves room for what is appended to make the names of the internal topics. */
    private static final int APPLICATION_ID_LENGTH_MAX = 200;

    /** A value that is held as it is. */
    Expected(String description, Predicate<Object> accepts) {
        this(description, accepts, UnaryOperator.identity());
    }

    @Override
    public void ensureValid(String name, @Nullable Object value) {
        if (value != null && !accepts.test(value)) {
            throw new ConfigException(name, value, "expected " + description);
        }
    }

    @Override
    public String toString() {
        return description;
    }

    static Expected servers() {
        return new Expected("host:port, several separated by commas", value -> !((String) value).isBlank());
    }

    static Expected anyInteger() {
        return new Expected("an integer of 64 bits", value -> true);
    }

    static Expected from(long low, long high) {
        return new Expected("an integer from " + low + " to " + high, value -> {
            long number = ((Number) value).longValue();
            return number >= low && number <= high;
        });
    }

    static Expected fraction(String description, Predicate<Double> accepts) {
        return new Expected(description, value -> accepts.test((Double) value));
    }

    static <E extends Enum<E>> Expected oneOf(Class<E> kind) {
        List<String> names = names(kind);
        return new Expected(String.join(" or ", names), names::contains, written -> constant(kind, (String) written));
    }

    static Expected outputs() {
        List<String> names = names(Output.class);
        return new Expected(
                String.join(" or ", names) + ", or both, separated by a comma",
                value -> areDistinct(value) && strings(value).allMatch(names::contains),
                written -> strings(written)
                        .map(name -> constant(Output.class, name))
                        .sorted()
                        .toList());
    }

    /** The names of the constants as settings have them. */
    static <E extends Enum<E>> List<String> names(Class<E> kind) {
        return Arrays.stream(kind.getEnumConstants())
                .map(constant -> spelled(constant.name()))
                .toList();
    }

    static Expected trueOrFalse() {
        return new Expected("true or false", value -> true);
    }

    static Expected retention() {
        return new Expected(
                "a number with s, m, h or d, such as 7d, or forever", value -> RetentionTime.isValid((String) value));
    }

    /** The name of a constant as settings have it. */
    static String spelled(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The constant of a setting. */
    static <E extends Enum<E>> E constant(Class<E> kind, String spelled) {
        return Enum.valueOf(kind, spelled.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    static Expected file() {
        return new Expected("the path of a file", value -> !((String) value).isBlank());
    }

    static Expected listenAddress() {
        return new Expected(
                "host:port such as 127.0.0.1:8080",
                value -> ListenAddress.of((String) value).isPresent(),
                value -> ListenAddress.of((String) value).orElseThrow());
    }

    static Expected hosts() {
        return new Expected(
                "one or more different names of hosts, without ports, separated by commas",
                value -> areDistinct(value) && strings(value).allMatch(ListenAddress::isHost));
    }

    static Expected signature() {
        return new Expected(
                String.join(", ", names(SignatureKind.Brought.class)) + " or the name of a class",
                value -> SignatureKind.of((String) value).isPresent(),
                value -> SignatureKind.of((String) value).orElseThrow());
    }

    static Expected topic() {
        return new Expected("a topic name: 1 to 249 of a-z A-Z 0-9 . _ -", value -> isTopic((String) value));
    }

    static Expected applicationId() {
        String description = "1 to " + APPLICATION_ID_LENGTH_MAX + " of a-z A-Z 0-9 . _ -";
        return new Expected(
                description,
                value -> isTopic((String) value) && ((String) value).length() <= APPLICATION_ID_LENGTH_MAX);
    }

    static Expected topics() {
        return new Expected(
                "one or more different topic names, separated by commas",
                value -> areDistinct(value) && strings(value).allMatch(Expected::isTopic));
    }

    /** Of a document's id. */
    static Expected pointerOrHeader() {
        return new Expected(
                "a JSON pointer (RFC 6901) such as /id, or header:NAME, the name not beginning with " + Keys.PREFIX,
                value -> isPointer((String) value) || isHeader((String) value));
    }

    /** Of a document's scope. */
    static Expected onePointerOrHeader() {
        return new Expected(
                "one JSON pointer (RFC 6901) such as /lang, without a comma, or header:NAME, the name not beginning"
                        + " with " + Keys.PREFIX,
                value -> isOnePointer((String) value) || isHeader((String) value));
    }

    /** A comma, which a key may have, is most likely meant to separate two. */
    static Expected onePointer() {
        return new Expected(
                "one JSON pointer (RFC 6901) such as /lang, without a comma", value -> isOnePointer((String) value));
    }

    static Expected pointers() {
        return new Expected(
                "one or more different JSON pointers (RFC 6901) such as /title,/body",
                value -> areDistinct(value) && strings(value).allMatch(Expected::isPointer));
    }

    static Expected shingle() {
        return new Expected(ShingleSpec.EXPECTED, value -> ShingleSpec.isValid((String) value));
    }

    /** A file is looked at only when all settings are known. */
    static Expected stopWords() {
        return new Expected(
                "languages of " + String.join(", ", StopWords.languages())
                        + " separated by commas, or the path of a file",
                value -> StopWordsSource.isValid((String) value));
    }

    private static boolean isTopic(String name) {
        return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }

    private static boolean isPointer(String text) {
        return text.startsWith("/") && !NO_POINTER_ESCAPE.matcher(text).find();
    }

    private static boolean isOnePointer(String text) {
        return isPointer(text) && text.indexOf(',') < 0;
    }

    /** Not one of our own: outputs have these, whatever came in. */
    static boolean isHeader(String text) {
        return text.startsWith(HEADER)
                && text.length() > HEADER.length()
                && !text.startsWith(Keys.PREFIX, HEADER.length());
    }

    private static boolean areDistinct(Object list) {
        List<?> elements = (List<?>) list;
        return !elements.isEmpty() && new HashSet<>(elements).size() == elements.size();
    }

    private static Stream<String> strings(Object list) {
        return ((List<?>) list).stream().map(String::valueOf);
    }

    /** A value as it stands in a file. */
    static String written(Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Expected::written).collect(Collectors.joining(","));
        }
        return value instanceof Enum<?> constant ? spelled(constant.name()) : String.valueOf(value);
    }
}
