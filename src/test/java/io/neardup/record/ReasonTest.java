package io.neardup.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonTest {

    /** Programs go by them: a code that was sent once is never changed. */
    @Test
    void shouldKeepTheCodes() {
        assertThat(Reason.values())
                .extracting(Reason::code)
                .containsExactly(
                        "null-value",
                        "not-utf8",
                        "not-json",
                        "not-object",
                        "too-deep",
                        "repeated-key",
                        "trailing-data",
                        "lone-surrogate",
                        "no-text",
                        "text-not-string",
                        "blank-text",
                        "id-not-text",
                        "id-too-long",
                        "scope-not-text",
                        "too-large",
                        "unsignable",
                        "null-key",
                        "timestamp-out-of-range");
    }
}
