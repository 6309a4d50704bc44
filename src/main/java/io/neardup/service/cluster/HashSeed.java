package io.neardup.service.cluster;

import io.neardup.config.NeardupConfig;
import io.neardup.streams.store.TopicNames;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What the settings say of the secret seed of the hashes: the seed itself, or of which index it is taken. */
public final class HashSeed {
    private final OptionalLong given;
    private final Optional<String> source;

    /**
     * @param given empty where nothing is said, or the index that it is taken of is not there
     * @param source the application id of that index
     */
    private HashSeed(OptionalLong given, Optional<String> source) {
        this.given = given;
        this.source = source;
    }

    /**
     * Looks up the seed where it is that of another index.
     *
     * @param clients what a client needs to reach the cluster
     */
    public static HashSeed of(NeardupConfig config, TopicAdmin admin, Map<String, Object> clients) {
        Optional<String> source = config.hashSeedOf();
        if (source.isEmpty()) {
            return new HashSeed(config.hashSeed(), source);
        }
        String id = source.get();
        boolean exists = !admin.findNow(List.of(new TopicNames(id).settings())).isEmpty();
        Optional<StoredIndex> index = exists ? new SettingsTopic(config, id, clients).find() : Optional.empty();
        return new HashSeed(index.stream().mapToLong(StoredIndex::hashSeed).findFirst(), source);
    }

    /** The seed of an index that is made now. */
    long ofNewIndex() {
        if (given.isEmpty() && source.isPresent()) {
            throw new StartupException(
                    List.of("neardup.hash.seed: expected of: and the application.id of an index, found "
                            + source.get() + ", of which topic " + new TopicNames(source.get()).settings()
                            + " holds none; start that one first, or name another"));
        }
        return given.orElseGet(() -> new SecureRandom().nextLong());
    }

    /** How what is said differs from the seed of an index; empty where it does not, or nothing is said any more. */
    Optional<String> difference(long ofIndex) {
        return given.isPresent() && given.getAsLong() != ofIndex
                ? Optional.of(source.map(id ->
                                "neardup.hash.seed: the index was made with another one than that of " + id + " has")
                        .orElse("neardup.hash.seed: the index was made with another one"))
                : Optional.empty();
    }
}
