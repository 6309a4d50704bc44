package io.neardup.service.lifecycle;

import io.neardup.docs.Chapter;
import io.neardup.testing.SecuredBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;

/** The rights that the chapter on operations lists for the service, one ACL an operation, and how they are given. */
public final class Rights {
    private static final Map<String, ResourceType> RESOURCES = Map.of(
            "topic", ResourceType.TOPIC,
            "group", ResourceType.GROUP,
            "groups that begin with", ResourceType.GROUP,
            "topics that begin with", ResourceType.TOPIC,
            "transactional ids that begin with", ResourceType.TRANSACTIONAL_ID);

    private Rights() {}

    /** As in the chapter, for another application id. */
    public static List<AclBinding> documented(String applicationId) {
        return rows("rights")
                .flatMap(cells -> bindings(cells.subList(0, 3), applicationId))
                .toList();
    }

    /** As in the chapter for a command that asks. */
    static List<AclBinding> toAsk(String command, String applicationId) {
        return rows("rights-to-ask")
                .filter(cells -> cells.get(0).equals("`" + command + "`"))
                .flatMap(cells -> bindings(cells.subList(1, 4), applicationId))
                .toList();
    }

    private static Stream<List<String>> rows(String table) {
        return Chapter.read(Chapter.FOLDER.resolve("reference.md")).table(table).stream();
    }

    /** @param cells resource, name, operations */
    private static Stream<AclBinding> bindings(List<String> cells, String applicationId) {
        return Arrays.stream(cells.get(2).split(", "))
                .map(operation -> binding(cells.get(0), name(cells.get(1), applicationId), operation));
    }

    private static String name(String cell, String applicationId) {
        return cell.replace("`", "").replace("neardup", applicationId);
    }

    /** @param resource as the chapter says it */
    static AclBinding binding(String resource, String name, String operation) {
        PatternType pattern = resource.endsWith("begin with") ? PatternType.PREFIXED : PatternType.LITERAL;
        ResourceType type = RESOURCES.get(resource);
        return new AclBinding(
                new ResourcePattern(type, name, pattern),
                new AccessControlEntry(
                        "User:" + SecuredBroker.USER, "*", AclOperation.valueOf(operation), AclPermissionType.ALLOW));
    }

    /** Gives these rights and takes all others. */
    static void give(Admin admin, Collection<AclBinding> rights) throws ExecutionException, InterruptedException {
        admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
        admin.createAcls(rights).all().get();
        Awaitility.await("the broker knows the ACLs")
                .atMost(Duration.ofMinutes(2))
                .until(() -> Set.copyOf(admin.describeAcls(AclBindingFilter.ANY)
                                .values()
                                .get())
                        .equals(Set.copyOf(rights)));
    }

    static List<AclBinding> without(Collection<AclBinding> rights, AclBinding right) {
        List<AclBinding> rest = new ArrayList<>(rights);
        rest.remove(right);
        return rest;
    }
}
