package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InstanceStatusReportTest {
    private static String printed(String instance) throws JsonProcessingException {
        ObjectNode told = (ObjectNode) new ObjectMapper()
                .readTree("{\"applicationId\":\"new\",\"instance\":{\"state\":\"busy\",\"tasks\":2," + instance + "}}");
        StringWriter output = new StringWriter();
        new InstanceStatusReport("http://here", told).print(new PrintWriter(output, true));
        return output.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'seeding':{'topic':'corpus','recordsRead':1500,'records':24000,'coordinatorsLeft':3}"
                        + " | seeding         1,500 of 24,000 records of corpus are read; coordinators left 3",
                "'following':{'predecessor':'old','recordsLeft':1200,'coordinatorsLeft':4,'handedOver':false}"
                        + " | following       old, 1,200 records of it left to read, until it has handed over",
                "'following':{'predecessor':'old','recordsLeft':1200,'coordinatorsLeft':4,'handedOver':true}"
                        + " | 1,200 records of it left to read; it has handed over, coordinators left 4",
                "'handingOver':{'successor':'newer','stage':'asked','coordinators':4,'coordinatorsLeft':3}"
                        + " | to newer: of 4 coordinators 1 are empty"
            },
            quoteCharacter = '~')
    void shouldTellHowFarItIs(String instance, String line) throws Exception {
        assertThat(printed(instance.replace("'", "\""))).contains(line + "\n");
    }
}
