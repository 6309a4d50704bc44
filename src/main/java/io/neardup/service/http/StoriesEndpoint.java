package io.neardup.service.http;

import io.neardup.record.Story;
import io.neardup.service.http.DuplicateTexts.Pair;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.URIUtil;

/**
 * Answers which stories have the most publishers, and below that of each by its place what it consists of: the story as
 * it stands on its topic, and where texts may be shown, copies of it that left last, with the words that differ.
 */
final class StoriesEndpoint extends Handler.Abstract {
    static final String PATH = "/api/stories";

    private final Supplier<Optional<TopStories>> stories;
    private final Supplier<Optional<DuplicateTexts>> texts;

    /** @param stories empty before there is a service, which makes the topics that are read */
    StoriesEndpoint(Supplier<Optional<TopStories>> stories, Supplier<Optional<DuplicateTexts>> texts) {
        this.stories = stories;
        this.texts = texts;
    }

    /** @param copies the latest first; none where no texts may be shown, or none is at hand */
    private record Opened(Story story, List<Pair> copies) {}

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        TopStories known = stories.get().orElse(null);
        if (known == null) {
            return HttpError.sendStarting(response, callback);
        }
        if (path.equals(PATH)) {
            return HttpReply.json(response, callback, known.lists());
        }
        String place = place(path);
        return known.find(place)
                .map(story -> HttpReply.json(response, callback, new Opened(story, copies(place))))
                .orElseGet(() -> HttpError.NO_STORY.send(
                        response,
                        callback,
                        "expected a story that " + PATH + " lists, or did lately, by the place of its original, such"
                                + " as documents-0-17, found another"));
    }

    /** A place may have a # in it, which stays encoded in a path. */
    static String place(String path) {
        return URIUtil.decodePath(path.substring(PATH.length() + 1));
    }

    private List<Pair> copies(String place) {
        return texts.get().map(shown -> shown.copies(place)).orElse(List.of());
    }
}
