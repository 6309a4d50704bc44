/**
 * What the service finds and sets up in the cluster: topics, rights, groups, and what an index was made with.
 *
 * <p>Internal.
 */
@NullMarked
package io.neardup.service.cluster;

import org.jspecify.annotations.NullMarked;
