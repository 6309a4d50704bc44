package io.neardup.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JudgingSettingsTest {
    private static String fingerprint(String... settings) {
        return NeardupConfig.of(new Settings().pairs(List.of(settings))).fingerprint();
    }

    @Test
    void shouldHaveSixteenDigits() {
        assertThat(fingerprint()).matches("[0-9a-f]{16}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.unique.topic=u",
                "neardup.outputs=verdicts",
                "neardup.hash.seed=7",
                "neardup.bands.partitions=3",
                "neardup.pending.max=10",
                "application.id=other",
                "neardup.similarity.threshold=0.7"
            })
    void shouldNotDependOnWhatNothingIsJudgedBy(String setting) {
        assertThat(fingerprint(setting)).isEqualTo(fingerprint());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "neardup.similarity.threshold=0.71",
                "neardup.similarity.measure=containment",
                "neardup.similarity.verify=estimate",
                "neardup.shingle=word:3",
                "neardup.signature=exact",
                "neardup.text.case=keep",
                "neardup.document.text=/body",
                "neardup.document.html=true",
                "neardup.scope=/lang",
                "neardup.retention=33d",
                "neardup.versions=replace",
                "neardup.bucket.max=10",
                "neardup.recall=0.9",
                "neardup.document.bytes.max=1000",
                "neardup.candidates.asked.max=21"
            })
    void shouldDependOnWhatRecordsAreJudgedBy(String setting) {
        assertThat(fingerprint(setting)).isNotEqualTo(fingerprint());
    }
}
