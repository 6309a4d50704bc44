package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;

class StatusCommandTest {
    @Test
    void shouldTellAllThatAnInstanceTellsOfItself() throws JsonProcessingException {
        String told = "{'applicationId':'new','instance':{'state':'busy','tasks':1200,'alerts':['no space'],"
                + "'seeding':{'topic':'corpus','recordsRead':1500},'documents':{'unique':7,'byReason':{'no-text':1}}}}";

        TextTable text = StatusCommand.instance("http://here", new ObjectMapper().readTree(told.replace("'", "\"")));

        assertThat(CommandTest.words(String.join(" ", text.lines())))
                .startsWith("application.id new url http://here look at no space state busy tasks 1,200 seeding topic"
                        + " corpus, records read 1,500 documents unique 7, by reason (no-text 1) group not known");
    }
}
