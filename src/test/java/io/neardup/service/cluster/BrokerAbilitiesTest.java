package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What brokers of which version lack is tried by {@link io.neardup.faults.BrokerVersionsIT}. */
class BrokerAbilitiesTest {
    @Test
    void shouldSayNothingWhereNothingIsMissing() {
        assertThat(new BrokerAbilities(true, true).lacking()).isEmpty();
    }

    @Test
    void shouldTellInOneLineWhatIsMissing() {
        assertThat(new BrokerAbilities(false, false).lacking().orElseThrow())
                .startsWith("the service goes on without what the brokers lack: ")
                .contains("10 to 20 s by default; ", "transaction.version 2")
                .doesNotContain("\n");
        assertThat(new BrokerAbilities(true, false).lacking().orElseThrow()).doesNotContain("by age");
        assertThat(new BrokerAbilities(false, true).lacking().orElseThrow()).doesNotContain("transaction.version");
    }
}
