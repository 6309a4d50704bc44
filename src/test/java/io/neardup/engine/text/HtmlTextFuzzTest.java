package io.neardup.engine.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.neardup.engine.text.HtmlText.Extract;
import java.nio.charset.StandardCharsets;

class HtmlTextFuzzTest {
    @FuzzTest
    void shouldMakeLinesOfWhateverTheMarkupIs(byte[] bytes) {
        String markup = new String(bytes, StandardCharsets.UTF_8);
        try {
            Extract page = HtmlText.of(markup);

            assertThat(page.title()).doesNotContain("\n", "  ");
            assertThat(page.text().lines()).allMatch(line -> !line.isBlank() && !line.contains("  "));
            assertThat(HtmlText.ofFragment(markup)).isEqualTo(markup.matches("[^<&]*") ? markup.strip() : page.text());
        } catch (HtmlBoundException isBounded) {
            assertThat(isBounded).hasMessageMatching("elements are nested .*|expected at most .* tags in HTML, .*");
        }
    }
}
