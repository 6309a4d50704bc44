package io.neardup.config;

import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.TreeMap;

/** Typed values of settings by their keys; one that is left out and has no default is not there. Not thread-safe. */
final class SettingValues {
    private final Map<String, Object> values = new TreeMap<>();

    <T> void put(Keys.Key<T> key, T value) {
        values.put(key.name(), value);
    }

    @SuppressWarnings("unchecked") // Only put adds values, each under a key of its type.
    <T> Optional<T> find(Keys.Key<T> key) {
        return Optional.ofNullable((T) values.get(key.name()));
    }

    /** The value of a setting; throws where it is left out and has no default. */
    <T> T get(Keys.Key<T> key) {
        return find(key).orElseThrow(() -> new NoSuchElementException(key.name()));
    }

    boolean has(Keys.Key<?> key) {
        return values.containsKey(key.name());
    }

    boolean is(Keys.Key<?> key, Object value) {
        return value.equals(values.get(key.name()));
    }
}
