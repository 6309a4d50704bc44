package io.neardup.streams.store;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds a store of our own for each task. It always has a changelog, and no cache of Kafka Streams. */
public final class LoggedStoreBuilder<S extends StateStore> implements StoreBuilder<S> {
    private final String name;
    private final Function<Map<String, String>, S> maker;
    private final Map<String, String> changelogSettings = new HashMap<>();

    /** @param maker of a store, from the settings of its changelog */
    LoggedStoreBuilder(String name, Function<Map<String, String>, S> maker) {
        this.name = name;
        this.maker = maker;
    }

    @Override
    public S build() {
        return maker.apply(changelogSettings);
    }

    @Override
    public StoreBuilder<S> withLoggingEnabled(Map<String, String> config) {
        changelogSettings.clear();
        changelogSettings.putAll(config);
        return this;
    }

    @Override
    public StoreBuilder<S> withLoggingDisabled() {
        throw new UnsupportedOperationException(name + " cannot be restored without a changelog");
    }

    @Override
    public StoreBuilder<S> withCachingEnabled() {
        throw new UnsupportedOperationException(name + " is in memory: there is nothing to cache");
    }

    @Override
    public StoreBuilder<S> withCachingDisabled() {
        return this;
    }

    @Override
    public Map<String, String> logConfig() {
        return changelogSettings;
    }

    @Override
    public boolean loggingEnabled() {
        return true;
    }

    @Override
    public String name() {
        return name;
    }
}
