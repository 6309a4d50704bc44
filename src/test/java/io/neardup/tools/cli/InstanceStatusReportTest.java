package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class InstanceStatusReportTest {
    private static String printed(String instance) throws JsonProcessingException {
        ObjectNode told = (ObjectNode) new ObjectMapper()
                .readTree("{\"applicationId\":\"new\",\"instance\":{\"state\":\"busy\",\"tasks\":2," + instance + "}}");
        StringWriter output = new StringWriter();
        new InstanceStatusReport("http://here", told).print(new PrintWriter(output, true));
        return output.toString();
    }

    @Test
    void shouldTellHowFarItIsWithASeed() throws Exception {
        assertThat(printed("\"seeding\":{\"topic\":\"corpus\",\"recordsRead\":1500,\"records\":24000,"
                        + "\"coordinatorsLeft\":3}"))
                .contains("seeding         1,500 of 24,000 records of corpus are read; coordinators left 3\n");
    }

    @Test
    void shouldTellHowFarItIsWithAnIndexThatItFollows() throws Exception {
        String following =
                "\"following\":{\"predecessor\":\"old\",\"recordsLeft\":1200,\"coordinatorsLeft\":4,\"handedOver\":";

        assertThat(printed(following + "false}"))
                .contains("following       old, 1,200 records of it left to read, until it has handed over\n");
        assertThat(printed(following + "true}"))
                .contains("following       old, 1,200 records of it left to read; it has handed over,"
                        + " coordinators left 4\n");
    }

    @Test
    void shouldTellHowFarItIsWithHandingOver() throws Exception {
        assertThat(printed("\"handingOver\":{\"successor\":\"newer\",\"stage\":\"fixed\",\"coordinators\":4,"
                        + "\"coordinatorsToFix\":1,\"coordinatorsLeft\":3}"))
                .contains("handing over    to newer: of 4 coordinators 3 have stopped, 1 are empty\n");
    }
}
