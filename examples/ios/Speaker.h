// Speaks texts through the loudspeaker, one at a time.

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface Speaker : NSObject

// Loads the voices of a folder, which takes about a second: not on the main thread.
- (nullable instancetype)initWithVoices:(NSString *)path error:(NSError **)error;

// Speaks a text, of any length, after what is being spoken. `done` gets why it failed, or nil, on a queue of the speaker's.
- (void)speak:(NSString *)text done:(void (^)(NSError *_Nullable error))done;

// Stops at once.
- (void)stop;

@end

NS_ASSUME_NONNULL_END
