package io.neardup.tools.cli;

import static io.neardup.tools.cli.TextTable.figure;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TextTableTest {
    @Test
    void shouldShowEachFieldOfATreeByItsName() throws JsonProcessingException {
        String tree = "{'id':'new','at':{'rate':0.69999999,'bands':[1,2]},'alerts':['no space'],"
                + "'lag':[{'topic':'a','records':7}],'recall':null}";

        assertThat(new TextTable()
                        .fields(new ObjectMapper().readTree(tree.replace("'", "\"")))
                        .lines())
                .containsExactly(
                        "id        new",
                        "at.rate   0.699999",
                        "at.bands  1 2",
                        "alerts    no space",
                        "lag       topic a, records 7",
                        "recall    -");
    }

    @Test
    void shouldAlignFiguresAndGoOnInTheNextLineWithoutObeyingTheText() {
        // given
        String remark = "a remark that is longer than what is left of a line of this width, so it goes on";

        // when
        List<String> lines = new TextTable()
                .row("name", "count", "share", "")
                .row("\u6f22\u5b57", 1_234_567, figure("%.1f %%", 7.25), remark)
                .row("\u001b[2Jevil", 5, "-", "")
                .blank()
                .row("a", 1)
                .text("  " + remark)
                .text("sat\u202E")
                .asIs(List.of("\u009B2J\u0007"))
                .lines();

        // then
        assertThat(lines)
                .containsExactly(
                        "name                 count  share",
                        "\u6f22\u5b57             1,234,567  7.3 %  a remark that is longer than what is left of",
                        "                                   a line of this width, so it goes on",
                        "<U+001B>[2Jevil          5      -",
                        "",
                        "a  1",
                        "  a remark that is longer than what is left of a line of this width, so it goes",
                        "  on",
                        "sat<U+202E>",
                        "<U+009B>2J<U+0007>");
    }
}
