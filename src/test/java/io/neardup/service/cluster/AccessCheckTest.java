package io.neardup.service.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.neardup.config.NeardupConfig;
import io.neardup.config.Settings;
import io.neardup.service.lifecycle.Rights;
import java.io.IOException;
import java.util.List;
import org.apache.kafka.common.resource.PatternType;
import org.junit.jupiter.api.Test;

class AccessCheckTest {
    @Test
    void shouldNeedWhatTheChapterLists() throws IOException {
        NeardupConfig config = NeardupConfig.forCluster(
                new Settings().pairs(List.of("bootstrap.servers=nowhere:1", "application.id=news")));

        assertThat(AccessCheck.needed(config).stream().flatMap(right -> right.operations().stream()
                        .map(operation ->
                                right.resource() + " " + right.name() + " " + right.isPrefix() + " " + operation)))
                .containsExactlyInAnyOrderElementsOf(Rights.documented("news").stream()
                        .map(right -> right.pattern().resourceType() + " "
                                + right.pattern().name() + " "
                                + (right.pattern().patternType() == PatternType.PREFIXED) + " "
                                + right.entry().operation())
                        .toList());
    }
}
