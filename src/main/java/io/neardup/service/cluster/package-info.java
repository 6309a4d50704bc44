/** What the service finds and sets up in the cluster: topics, rights, groups, and what an index was made with. */
@NullMarked
package io.neardup.service.cluster;

import org.jspecify.annotations.NullMarked;
