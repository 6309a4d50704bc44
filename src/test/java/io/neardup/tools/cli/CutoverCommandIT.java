package io.neardup.tools.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.neardup.service.lifecycle.DedupService;
import io.neardup.testing.NewsFeed;
import io.neardup.testing.World;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A cutover as an operator sees it: what is refused, what is asked, and what is told meanwhile. */
class CutoverCommandIT extends CommandTest {
    private static final String BOTH = "neardup.input.topics=documents,more";
    private static final String FOLLOWS = "neardup.successor.of=old";

    @RegisterExtension
    private static final World WORLD = new World();

    @Test
    void shouldTellAnOperatorWhatIsToBeDoneUntilTheSuccessorHasTakenOver() throws Exception {
        WORLD.createTopics(2);
        WORLD.createTopic("more");
        DedupService old = start("old", BOTH);
        WORLD.feed(NewsFeed.generate(20, 3));
        WORLD.awaitOutputs(20);

        DedupService successor = start("new", FOLLOWS);
        shouldRefuseWhatNobodyWouldTakeOverAndOtherInputs();
        successor.close();
        shouldTellWhoHasStillToDoWhat(old);
        shouldTellWhatToDoWhereTheSuccessorHasOtherInputs();
        shouldWaitUntilTheSuccessorHasTakenOver();
    }

    private void shouldRefuseWhatNobodyWouldTakeOverAndOtherInputs() {
        requireRefused("application.id typo: expected an index, found none", "--from typo --status");
        requireRefused("found no index of that application.id", "--from old --to typo --now --yes");
        requireRefused("found the same", "--from old --to old --now --yes");
        requireRefused(
                "application.id new: expected an index that has taken over all of its own predecessor",
                "--from new --to old --now --yes");
        requireRefused(
                "application.id new: expected neardup.input.topics=documents,more, as of old, found documents;",
                "--from old --to new --now --yes");
    }

    /** As where the machine of the successor fails just then. */
    private void shouldTellWhoHasStillToDoWhat(DedupService old) {
        World.askToHandOver(WORLD.configOf("old"), "new");
        assertThat(refusal("index cutover --from old --to other --now --yes"))
                .contains("No new request was made: old ")
                .contains(" its input over to new");
        World.awaitEnd(old);
        old.close();

        await().atMost(World.PATIENCE).untilAsserted(() -> assertThat(told("index cutover --from old --status"))
                .startsWith("old has handed its input over to new, since ")
                .contains("new has still to take over. No service of new runs: start it."));
        assertThat(refusal("index reset --yes --set application.id=old"))
                .contains("application.id old: expected an index that nobody needs, found that application.id new"
                        + " takes it over, and has not all of it");
    }

    private void shouldTellWhatToDoWhereTheSuccessorHasOtherInputs() {
        DedupService successor = start("new", FOLLOWS);

        World.awaitNote(
                successor,
                "neardup.input.topics: expected those that the predecessor read, documents,more, found documents; set"
                        + " it so and start again");
        await().atMost(World.PATIENCE).untilAsserted(() -> assertThat(words(told("status --set application.id=new")))
                .contains("problems it follows application.id old until that has handed its input over, with ")
                .contains(" records of that left to read"));
        assertThat(successor.status().isReady()).isFalse();
        successor.close();
    }

    private void shouldWaitUntilTheSuccessorHasTakenOver() {
        DedupService successor = start("new", FOLLOWS, BOTH);

        assertThat(told("index cutover --from old --to new --yes")).contains("new has taken over.");

        World.awaitReady(successor);
        assertThat(told("index cutover --from old --status")).contains("new has taken over.");
        assertThat(words(told("index reset --yes --set application.id=old")))
                .contains("First stop all instances of its successor new, and start them without neardup.successor.of")
                .contains("A later start of old begins anew");
    }

    private static DedupService start(String applicationId, String... more) {
        DedupService service = WORLD.start(WORLD.configOf(applicationId, more));
        World.awaitRunning(service);
        return service;
    }

    private static String[] command(String line) {
        return withSettings(List.of("bootstrap.servers=" + WORLD.servers()), line.split(" ", -1));
    }

    private String told(String line) {
        return printed(command(line));
    }

    private String refusal(String line) {
        return failed(command(line));
    }

    private void requireRefused(String why, String cutover) {
        assertThat(refusal("index cutover " + cutover)).contains(why);
        assertThat(told("index cutover --from old --status")).startsWith("old keeps its input");
    }
}
