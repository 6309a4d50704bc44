package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SuccessionTest {
    private static final int COORDINATORS = 4;

    private static NeardupConfig config(String... pairs) {
        return NeardupConfig.of(new Settings().pairs(List.of(pairs)));
    }

    private static IndexSettings made(String... pairs) {
        return IndexSettings.of(config(pairs), COORDINATORS, Map.of("state", 7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.similarity.threshold=0.8",
                "neardup.shingle=word:3",
                "neardup.signature=simhash",
                "neardup.signature=exact",
                "neardup.similarity.verify=estimate",
                "neardup.recall=0.9",
                "neardup.index.size=1000",
                "neardup.bands.partitions=7",
                "neardup.versions=replace",
                "neardup.hash.seed=5"
            })
    void shouldAllowWhatFollowsFromNormalizedTexts(String setting) {
        assertThat(Succession.problems(made(), config(setting), COORDINATORS)).isEmpty();
        assertThat(Succession.problems(made("neardup.signature=simhash"), config(setting), COORDINATORS))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "neardup.text.case, keep, lower",
        "neardup.document.html, true, nothing",
        "neardup.scope, /lang, nothing",
    })
    void shouldRefuseWhatNeedsTheInput(String key, String other, String usual) {
        assertThat(Succession.problems(made(), config(key + "=" + other), COORDINATORS))
                .contains(key + ": the predecessor was made with " + usual + ", now " + other);
        assertThat(Succession.problems(made(key + "=" + other), config(), COORDINATORS))
                .contains(key + ": the predecessor was made with " + other + ", now " + usual);
        assertThat(Succession.problems(made(key + "=" + other), config(key + "=" + other), COORDINATORS))
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.signature=textprofile",
                "neardup.signature=io.neardup.engine.similarity.RandomProjectionFamily"
            })
    void shouldRefuseASignatureThatReadsMore(String signature) {
        NeardupConfig other = signature.contains("Projection")
                ? config(signature, "neardup.family.dimensions=4", "neardup.family.width=4")
                : config(signature);

        assertThat(Succession.problems(made(), other, COORDINATORS))
                .singleElement()
                .asString()
                .startsWith("neardup.signature: expected one that compares normalized texts");
    }

    @Test
    void shouldRefuseExactTextsThatAreRaw() {
        assertThat(Succession.problems(
                        made(), config("neardup.signature=exact", "neardup.exact.text=raw"), COORDINATORS))
                .hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"neardup.similarity.verify=estimate", "neardup.signature=exact", "neardup.signature=textprofile"
            })
    void shouldRefuseAPredecessorThatKeepsNoTexts(String setting) {
        assertThat(Succession.problems(made(setting), config(), COORDINATORS))
                .first()
                .asString()
                .startsWith("neardup.similarity.verify: the predecessor keeps no texts");
    }

    @Test
    void shouldRefuseFewerPartitionsThanThePredecessorHas() {
        assertThat(Succession.problems(made(), config(), COORDINATORS + 1)).isEmpty();
        assertThat(Succession.problems(made(), config(), COORDINATORS - 1))
                .containsExactly("neardup.input.topics: expected at least 4 partitions, as when the predecessor was"
                        + " made, found 3");
    }

    @Test
    void shouldRefuseItselfAndSeedsBesideIt() {
        assertThatThrownBy(() -> config("application.id=a", "neardup.successor.of=a"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("neardup.successor.of");
        assertThat(Succession.problems(made(), config("neardup.seed.topics=corpus"), COORDINATORS))
                .singleElement()
                .asString()
                .startsWith("neardup.seed.topics: expected none beside a predecessor");
    }
}
