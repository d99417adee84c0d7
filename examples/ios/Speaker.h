// Speaks texts through the loudspeaker, one at a time.

#import <Foundation/Foundation.h>

NS_ASSUME_NONNULL_BEGIN

@interface Speaker : NSObject

// Loads the voices from a folder. It takes about a second, so do not call it on the main thread.
- (nullable instancetype)initWithVoices:(NSString *)path error:(NSError **)error;

// Speaks a text of any length after the current one. `done` is called on the speaker's own queue,
// with the error or nil.
- (void)speak:(NSString *)text done:(void (^)(NSError *_Nullable error))done;

// Stops at once.
- (void)stop;

@end

NS_ASSUME_NONNULL_END
