package io.neardup.streams;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.state.StoreBuilder;

/** Builds a {@link ProgressStore} for each task. */
final class ProgressStoreBuilder implements StoreBuilder<ProgressStore> {
    private final String name;
    private final Map<String, String> changelogSettings = new HashMap<>();
    private boolean hasChangelog = true;

    ProgressStoreBuilder(String name) {
        this.name = name;
    }

    @Override
    public ProgressStore build() {
        return new ProgressStore(name, hasChangelog);
    }

    @Override
    public StoreBuilder<ProgressStore> withLoggingEnabled(Map<String, String> config) {
        hasChangelog = true;
        changelogSettings.clear();
        changelogSettings.putAll(config);
        return this;
    }

    @Override
    public StoreBuilder<ProgressStore> withLoggingDisabled() {
        hasChangelog = false;
        changelogSettings.clear();
        return this;
    }

    @Override
    public StoreBuilder<ProgressStore> withCachingEnabled() {
        throw new UnsupportedOperationException("changes gather until the commit as it is: there is nothing to cache");
    }

    @Override
    public StoreBuilder<ProgressStore> withCachingDisabled() {
        return this;
    }

    @Override
    public Map<String, String> logConfig() {
        return changelogSettings;
    }

    @Override
    public boolean loggingEnabled() {
        return hasChangelog;
    }

    @Override
    public String name() {
        return name;
    }
}
